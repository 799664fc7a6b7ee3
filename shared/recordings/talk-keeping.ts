/** State of the text of a talk. */
export interface TalkKeeping {
  /** The switch beside Start: the next talk leaves no data. */
  readonly incognito: boolean;
  readonly talk: KeptTalk;
  /** Buffer of the last two minutes; missing if it is off. */
  readonly recent?: RecentBufferState | undefined;
}

export type RecentBufferState =
  | { readonly kind: 'held' }
  /** Saved as a tape; it can be saved again. */
  | { readonly kind: 'kept'; readonly path: string; readonly seconds: number };

export type KeptTalk =
  /** There is no talk, its text is not kept, or it has none. */
  | { readonly kind: 'unkept' }
  /** No text, tape or pictures are kept. */
  | { readonly kind: 'incognito' }
  /** Undecided: held until the talk ends. */
  | { readonly kind: 'held' }
  /** Undecided and ended: the user is being asked. */
  | { readonly kind: 'asked' }
  /** On disk from the first words, and in the history under this id. */
  | { readonly kind: 'kept'; readonly id: string };

export const nothingKept: TalkKeeping = { incognito: false, talk: { kind: 'unkept' } };
