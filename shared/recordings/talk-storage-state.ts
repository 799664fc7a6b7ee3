/** Whether the text of a talk and its last two minutes of sound are stored. */
export interface TalkStorageState {
  /** The Incognito switch: Parley stores no data of the next talk. */
  readonly incognito: boolean;
  readonly talk: TalkTextState;
  /** Buffer of the last two minutes; missing if it is off. */
  readonly recent?: RecentBufferState | undefined;
}

export type RecentBufferState =
  /** In memory only. */
  | { readonly kind: 'held' }
  /** Saved as a tape; it can be saved again. */
  | { readonly kind: 'kept'; readonly path: string; readonly seconds: number };

export type TalkTextState =
  /** There is no talk, the settings do not store its text, or it has none. */
  | { readonly kind: 'unkept' }
  /** Text, tape and pictures are not stored. */
  | { readonly kind: 'incognito' }
  /** In memory until the talk ends; then Parley asks the user whether to store it. */
  | { readonly kind: 'held' }
  /** The talk has ended, and Parley asks the user whether to store it. */
  | { readonly kind: 'asked' }
  /** Stored from its first words; the id is the one in the history. */
  | { readonly kind: 'kept'; readonly id: string };

export const nothingStored: TalkStorageState = { incognito: false, talk: { kind: 'unkept' } };
