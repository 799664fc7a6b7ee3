import { describeAppError } from '../../shared/i18n/en/describe-app-error.ts';
import type { SettingsServices } from './compose-settings.ts';
import { visionSettingsOf } from '../../shared/vision/convert-vision-settings.ts';
import type { NoticeBoard } from '../ipc/notice-board.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Frames, Shareables } from '../ports/pictures.ts';
import { createVisionHandlers } from '../controllers/vision-handlers.ts';
import type { VisionHandlers } from '../controllers/vision-handlers.ts';
import type { VisionOptions } from '../../shared/vision/vision-options.ts';
import { FramePipeline } from '../vision/frame-pipeline.ts';

/** A talk attaches here to get its frames; a host looks here at what the person has switched on. */
export interface VisionServices {
  readonly framePipeline: FramePipeline;
}

interface Deps {
  readonly frames: Frames;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: NoticeBoard;
  readonly shareables: Shareables | undefined;
  readonly settings: SettingsServices['settings'];
}

export function composeVision({
  frames,
  clock,
  log,
  notices,
  shareables,
  settings,
}: Deps): VisionServices & {
  readonly handlers: VisionHandlers;
} {
  const framePipeline = new FramePipeline({
    frames,
    clock,
    sent: (frame) => {
      notices.post('frameSent', frame);
    },
    counted: (count) => {
      notices.post('frameCounted', count);
    },
    refused: (error) => {
      log.write('warn', `a frame was refused: ${describeAppError(error)}`);
    },
  });
  const persist = (wanted: VisionOptions): void => {
    const { chunkMs } = settings.get().assistant.generation;
    settings.change({ vision: visionSettingsOf(wanted, chunkMs) });
  };
  return {
    framePipeline,
    handlers: createVisionHandlers({ framePipeline, shareables, persist }),
  };
}
