import type { SeeingSettings } from '../shared/vision/seeing-settings.ts';
import type { Handlers } from '../shared/ipc/contract.ts';
import { orRefuse } from './ipc/refusal.ts';
import type { Shareables } from './ports/pictures.ts';
import type { Seeing } from './vision/seeing.ts';

export type SeeingHandlers = Pick<
  Handlers,
  'allowSeeing' | 'setSeeing' | 'seeFrame' | 'shareables'
>;

interface Needs {
  readonly seeing: Seeing;
  /** Missing where the browser itself asks the person what to share. */
  readonly shareables: Shareables | undefined;
  /** Slices, rate and stillness are settings that stay. */
  readonly keep?: ((settings: SeeingSettings) => void) | undefined;
}

/** What the requests about seeing do. */
export function createSeeingHandlers({ seeing, shareables, keep }: Needs): SeeingHandlers {
  return {
    allowSeeing: (door) => {
      seeing.setDoor(door);
      return seeing.door;
    },
    setSeeing: (settings) => {
      seeing.set(settings);
      keep?.(settings);
      return seeing.settings;
    },
    seeFrame: ({ jpeg }) => seeing.offer(jpeg),
    shareables: async ({ thumbnails }) => {
      if (shareables === undefined) return { offered: false, list: [] };
      return { offered: true, list: orRefuse(await shareables.list(thumbnails)) };
    },
  };
}
