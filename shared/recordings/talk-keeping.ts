/** What becomes of the words of a talk. */
export interface TalkKeeping {
  /** The switch beside Start: the next talk leaves nothing at all. */
  readonly incognito: boolean;
  /** The talk that is shown. */
  readonly talk: KeptTalk;
  /** The last two minutes of the talk that goes on; nothing where they are not held. */
  readonly recent?: RecentHold | undefined;
}

export type RecentHold =
  /** In memory only. */
  | { readonly kind: 'held' }
  /** A tape was made of them, and it can be done again. */
  | { readonly kind: 'kept'; readonly path: string; readonly seconds: number };

export type KeptTalk =
  /** There is none, its text is not to be kept, or nothing was said in it. */
  | { readonly kind: 'unkept' }
  /** It leaves nothing at all: no text, no tape, no picture. */
  | { readonly kind: 'incognito' }
  /** Nobody has said yet whether text is to be kept: held until that is asked at its end… */
  | { readonly kind: 'held' }
  /** …which is now. */
  | { readonly kind: 'asked' }
  /** On the disk with its first words, and in the history under this id. */
  | { readonly kind: 'kept'; readonly id: string };

export const nothingKept: TalkKeeping = { incognito: false, talk: { kind: 'unkept' } };
