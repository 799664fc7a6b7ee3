import type { Outcome } from './outcome.ts';
import type { StoredText, StoredVersion } from './talk-store.ts';

/**
 * Written conversations that are kept, each a text with the pictures and sounds it names. What is in
 * the text does not concern the store. Errors have the place among their facts.
 */
export interface ChatStore {
  /** Those that have a text, in no order. */
  readonly list: () => Promise<Outcome<readonly StoredVersion[]>>;
  readonly read: (id: string) => Promise<Outcome<StoredText>>;
  /**
   * Takes the place of what was kept under this id, whole or not at all. Media have names without
   * folders; one that is already there is not written again, and one that is not named goes.
   */
  readonly write: (
    id: string,
    text: string,
    media: readonly StoredMedia[],
  ) => Promise<Outcome<undefined>>;
  readonly readMedia: (id: string, name: string) => Promise<Outcome<Uint8Array>>;
  /** Puts one that makes no sense where it is never loaded again, and says where that is. */
  readonly setAside: (id: string) => Promise<Outcome<string>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
  /** Also what was set aside: nothing of any conversation is left. */
  readonly removeAll: () => Promise<Outcome<undefined>>;
}

export interface StoredMedia {
  readonly name: string;
  /** Asked only where the file is not there yet; nothing where there is no more than the name. */
  readonly bytes: () => Uint8Array | undefined;
}
