import type { AppError } from '../errors/app-error.ts';

/** Changes of a turn's caption; omitted fields stay unchanged. */
export interface CaptionPatch {
  readonly turn: number;
  readonly added?: string;
  /** Characters heard so far. */
  readonly heard?: number;
  /** The text from this character on was cut and will not be heard. */
  readonly cutFrom?: number;
  /** The first turn of another session. */
  readonly startsSession?: true;
  /** The model heard the computer's sound when it began the turn. */
  readonly hearsComputer?: true;
  /** The turn is final. */
  readonly settled?: true;
}

/** A caption: heard up to `heard`, cut from `cutFrom` on, and pending in between. */
export interface CaptionedTurn {
  readonly turn: number;
  readonly text: string;
  readonly heard: number;
  readonly cutFrom: number | undefined;
  readonly settled: boolean;
  /** The first turn of another session. */
  readonly startsSession?: true | undefined;
  readonly hearsComputer?: true | undefined;
}

/** The patch that shows a whole turn, for a talk of an earlier run. */
export function captionAsPatch({ turn, text, heard, cutFrom }: CaptionedTurn): CaptionPatch {
  return { turn, added: text, heard, ...(cutFrom !== undefined && { cutFrom }), settled: true };
}

export function patchCaption(
  before: CaptionedTurn | undefined,
  patch: CaptionPatch,
): CaptionedTurn {
  return {
    turn: patch.turn,
    text: (before?.text ?? '') + (patch.added ?? ''),
    heard: patch.heard ?? before?.heard ?? 0,
    cutFrom: patch.cutFrom ?? before?.cutFrom,
    startsSession: patch.startsSession ?? before?.startsSession,
    hearsComputer: patch.hearsComputer ?? before?.hearsComputer,
    settled: patch.settled ?? before?.settled ?? false,
  };
}

/** A phrase of the user, with its text once it was transcribed. */
export interface UserPhrase {
  /** Milliseconds since the talk began; unique. */
  readonly at: number;
  readonly seconds: number;
  /** Index of Parley's newest turn when the phrase began. */
  readonly after: number | undefined;
  readonly state: UserPhraseState;
  /** Empty after transcription if no words were understood. */
  readonly text: string;
  readonly transcribed: 'byMachine' | 'corrected';
  /** The model heard the computer's sound when the phrase began. */
  readonly hearsComputer?: true | undefined;
}

/** `removed`: the user deleted the phrase. */
export type UserPhraseState = 'waiting' | 'writing' | 'written' | 'unwritten' | 'removed';

export interface UserTranscriptStatus {
  readonly kind: 'off' | 'idle' | 'writing' | 'afterTalk' | 'busy' | 'queued' | 'failed';
  readonly position?: number | undefined;
  /** Why transcription stopped; waiting phrases can be retried. */
  readonly error?: AppError | undefined;
  /** The server is the demonstration, which knows only its own sentences. */
  readonly demonstration: boolean;
}

export interface UserTranscript {
  readonly status: UserTranscriptStatus;
  /** In spoken order. */
  readonly phrases: readonly UserPhrase[];
}

export const emptyUserTranscript: UserTranscript = {
  status: { kind: 'off', demonstration: false },
  phrases: [],
};

export function withPhrase(
  phrases: readonly UserPhrase[],
  phrase: UserPhrase,
): readonly UserPhrase[] {
  const others = phrases.filter(({ at }) => at !== phrase.at);
  if (phrase.state === 'removed') return others;
  const place = others.findLastIndex(({ at }) => at < phrase.at) + 1;
  return [...others.slice(0, place), phrase, ...others.slice(place)];
}
