import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { GlobalKeyMethod, TalkKeyEvent } from '../../../shared/talk/global-key.ts';

/** A way to receive a key while another program has the keyboard. */
export interface GlobalKeyBackend {
  readonly name: GlobalKeyMethod;
  /** Whether this system can support it; asking starts nothing. */
  readonly isSupported: () => boolean;
  /**
   * Listens for a chord such as `Control+KeyT`. Calls `ended` once if it stops for good.
   * `withdrawn` settles if the key is no longer needed while the user is asked.
   */
  readonly listen: (
    chord: string,
    onEvent: (event: TalkKeyEvent) => void,
    ended: () => void,
    withdrawn?: Promise<void>,
  ) => Promise<Outcome<() => Promise<void>>>;
}
