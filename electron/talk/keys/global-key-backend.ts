import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { GlobalKeyMethod, TalkKeyEvent } from '../../../shared/talk/global-key.ts';

/** A way to receive a key while another program has the keyboard. */
export interface GlobalKeyBackend {
  readonly name: GlobalKeyMethod;
  /** Whether this system can support it; asking starts nothing. */
  readonly isSupported: () => boolean;
  /**
   * Listens for one chord, named by the `code` of keyboard events (`Control+KeyT`). The returned
   * function stops it. The backend calls `ended` once if it stops for good. The promise `withdrawn`
   * settles if the key is no longer needed while the user is still being asked.
   */
  readonly listen: (
    chord: string,
    hear: (event: TalkKeyEvent) => void,
    ended: () => void,
    withdrawn?: Promise<void>,
  ) => Promise<Outcome<() => Promise<void>>>;
}
