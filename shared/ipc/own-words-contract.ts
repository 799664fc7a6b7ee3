import type { OwnPhrase, OwnWordsStatus } from '../talk/own-words.ts';
import type { Nothing } from './reply.ts';

/** What a page may ask of the person's own words, which are written down from their sound. */
export interface OwnWordsRequests {
  /**
   * Puts words right, by when they were said: of the talk with this id, or of the one that is shown. No words at all take
   * them out.
   */
  readonly correctOwnWords: {
    readonly input: {
      readonly talk?: string | undefined;
      readonly at: number;
      readonly text: string;
    };
    readonly value: Nothing;
  };
  /** Of the talk that is shown: what could not be written down is tried once more. */
  readonly writeOwnWordsAgain: { readonly input: Nothing; readonly value: Nothing };
}

export interface OwnWordsNotices {
  /** One is new, or has changed. */
  readonly ownPhrase: OwnPhrase;
  readonly ownWordsStatus: OwnWordsStatus;
}
