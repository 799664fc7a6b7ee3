import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { GlobalKeyMethod, TalkKeyEvent } from '../../../shared/talk/global-key.ts';

/** One way to hear a key while another program has the keyboard. */
export interface GlobalKeyBackend {
  readonly name: GlobalKeyMethod;
  /** Whether it can work on this system at all; nothing is begun by asking. */
  readonly offered: () => boolean;
  /**
   * Hears this chord, as a keyboard event's `code` has it (`Control+KeyT`), and no other key, until what
   * comes back is called. `ended` is called once, where it stops by itself for good. `withdrawn` settles where
   * nobody wants the key any more while somebody is still being asked for it.
   */
  readonly listen: (
    chord: string,
    hear: (event: TalkKeyEvent) => void,
    ended: () => void,
    withdrawn?: Promise<void>,
  ) => Promise<Outcome<() => Promise<void>>>;
}
