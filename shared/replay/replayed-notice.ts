import type { TalkNotices } from '../ipc/talk-contract.ts';
import type { OwnPhrase } from '../talk/own-words.ts';

/** Of a talk's notices those that a film holds; levels stand in its ribbon, delays and advice were those of then. */
type KeptName = Exclude<keyof TalkNotices, 'level' | 'talkStep' | 'talkOnlyListens'>;

/** A notice that a page got in the talk, and when: milliseconds since the tape began. */
export type ReplayedNotice = { readonly at: number } & (
  | {
      readonly [Name in KeptName]: { readonly name: Name; readonly payload: TalkNotices[Name] };
    }[KeptName]
  /** The person's own words, as the talk's text has them: they were known later than this. */
  | { readonly name: 'ownPhrase'; readonly payload: OwnPhrase }
  /** A picture has gone to the model; its bytes are asked for by its number. */
  | { readonly name: 'picture'; readonly payload: number }
);
