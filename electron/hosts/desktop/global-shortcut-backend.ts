import { globalShortcut } from 'electron';
import { failure } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { GlobalKeyBackend } from '../../ports/global-keys.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { HeldKeyFilter } from './held-key-filter.ts';
import { canBeTaken, shortcutAccelerator } from './shortcut-accelerator.ts';

/**
 * That a key was pressed, by Electron's own shortcuts: it knows no release, and no other program gets the
 * key meanwhile. Under Wayland it registers and never hears anything, which `offered` has to know.
 */
export function createGlobalShortcutBackend(
  clock: Clock,
  offered: () => boolean,
): GlobalKeyBackend {
  return {
    name: 'globalShortcut',
    offered,
    listen: async (chord, hear) => {
      const accelerator = shortcutAccelerator(chord);
      if (accelerator === undefined) return failure('globalKeyUnknown');
      if (!canBeTaken(chord)) return failure('globalKeyAlone');
      return register(
        accelerator,
        new HeldKeyFilter(clock, () => {
          hear('toggle');
        }),
      );
    },
  };
}

function register(accelerator: string, presses: HeldKeyFilter): Outcome<() => Promise<void>> {
  try {
    const taken = () => {
      presses.take();
    };
    if (!globalShortcut.register(accelerator, taken)) return failure('globalKeyTaken');
  } catch (cause) {
    // Electron's way of saying that it cannot make anything of it.
    if (!(cause instanceof TypeError)) throw cause;
    return failure('globalKeyUnknown', {}, { detail: cause.message });
  }
  return {
    ok: true,
    value: async () => {
      presses.stop();
      globalShortcut.unregister(accelerator);
    },
  };
}
