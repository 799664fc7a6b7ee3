import { createFrames } from './adapters/sharp-frames.ts';
import type { SettingsDoors } from './compose-settings.ts';
import { visionOf } from '../shared/vision/kept-seeing.ts';
import type { NoticeBoard } from './ipc/notice-board.ts';
import type { Clock } from './ports/clock.ts';
import type { Shareables } from './ports/pictures.ts';
import { createSeeingHandlers } from './seeing-requests.ts';
import type { SeeingHandlers } from './seeing-requests.ts';
import type { SeeingSettings } from '../shared/vision/seeing-settings.ts';
import { Seeing } from './vision/seeing.ts';

/** A talk joins here to get its pictures; a host looks here at what the person has switched on. */
export interface SeeingDoors {
  readonly seeing: Seeing;
}

interface Needs {
  readonly clock: Clock;
  readonly notices: NoticeBoard;
  readonly shareables: Shareables | undefined;
  readonly settings: SettingsDoors['settings'];
}

export function composeSeeing({ clock, notices, shareables, settings }: Needs): SeeingDoors & {
  readonly handlers: SeeingHandlers;
} {
  const seeing = new Seeing({
    frames: createFrames(),
    clock,
    sent: (frame) => {
      notices.post('frameSent', frame);
    },
    prepared: (frame) => {
      notices.post('framePrepared', frame);
    },
  });
  const keep = (wanted: SeeingSettings): void => {
    const { chunkMs } = settings.get().assistant.generation;
    settings.change({ vision: visionOf(wanted, chunkMs) });
  };
  return { seeing, handlers: createSeeingHandlers({ seeing, shareables, keep }) };
}
