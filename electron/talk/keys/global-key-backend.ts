import type { AppError, Outcome } from '../../../shared/errors/app-error.ts';
import type { GlobalKey, GlobalKeyMethod, TalkKeyEvent } from '../../../shared/talk/global-key.ts';

export interface GlobalKeyListening {
  /** Keys that this backend cannot receive, by their id. */
  readonly refused: ReadonlyMap<string, AppError>;
  readonly stop: () => Promise<void>;
}

/** A way to receive keys while another program has the keyboard. */
export interface GlobalKeyBackend {
  readonly name: GlobalKeyMethod;
  /** Whether this system can support it; asking starts nothing. */
  readonly isSupported: () => boolean;
  /**
   * Listens for all keys together, and fails if it can receive none of them. Calls `onEnd` once if it stops for good.
   * `withdrawn` settles if the keys are not needed any more while the desktop asks the user.
   */
  readonly listen: (
    keys: readonly GlobalKey[],
    onEvent: (id: string, event: TalkKeyEvent) => void,
    onEnd: () => void,
    withdrawn?: Promise<void>,
  ) => Promise<Outcome<GlobalKeyListening>>;
}
