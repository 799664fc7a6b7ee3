import type { AppError } from '../errors/app-error.ts';

/** A stretch of what the person said, with its words once somebody has written them down. */
export interface OwnPhrase {
  /** Milliseconds since the talk began; no two begin at once. */
  readonly at: number;
  readonly seconds: number;
  /** The newest turn of Parley's that had begun by then. */
  readonly after: number | undefined;
  readonly state: OwnPhraseState;
  /** Written, and empty: no words were made out. */
  readonly text: string;
  readonly transcribed: 'byMachine' | 'corrected';
}

/** `removed` by the person: it is shown no more. */
export type OwnPhraseState = 'waiting' | 'writing' | 'written' | 'unwritten' | 'removed';

/** How the writing down goes on, where anybody wants it. */
export interface OwnWordsStatus {
  readonly kind: 'off' | 'idle' | 'writing' | 'afterTalk' | 'busy' | 'queued' | 'failed';
  readonly position?: number | undefined;
  /** Why it does not go on; what waits can be tried again. */
  readonly error?: AppError | undefined;
  /** The server is the demonstration, which knows its own sentences only. */
  readonly demonstration: boolean;
}

export interface OwnWords {
  readonly status: OwnWordsStatus;
  /** In the order in which they were said. */
  readonly phrases: readonly OwnPhrase[];
}

export const noOwnWords: OwnWords = {
  status: { kind: 'off', demonstration: false },
  phrases: [],
};

/** A phrase takes the place of what was known of it before. */
export function withPhrase(phrases: readonly OwnPhrase[], phrase: OwnPhrase): readonly OwnPhrase[] {
  const others = phrases.filter(({ at }) => at !== phrase.at);
  if (phrase.state === 'removed') return others;
  const place = others.findLastIndex(({ at }) => at < phrase.at) + 1;
  return [...others.slice(0, place), phrase, ...others.slice(place)];
}
