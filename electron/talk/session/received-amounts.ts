import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import {
  contextTokens,
  type Mode,
  outputRate,
  sessionSeconds,
} from '../../../shared/protocol/realtime-api.ts';
import type { ServerEvent } from '../../../shared/protocol/server-event.ts';

/**
 * Amounts that a server sent beyond what is consumed. All but `answerLetters` drain with time, as
 * in a leaky bucket.
 */
export interface ReceivedAmounts {
  readonly at: number;
  readonly answerLetters: number;
  readonly letters: number;
  /** Sound that cannot have been heard yet. */
  readonly soundMs: number;
  /** Errors and malformed frames. */
  readonly troubles: number;
}

const nothingReceived = { answerLetters: 0, letters: 0, soundMs: 0, troubles: 0 } as const;

/** A full context at 32 letters per token; no answer comes near it. */
const maxAnswerLetters = contextTokens * 32;
/** Four of the longest answers at once, and then more than any model writes per millisecond. */
const maxLetters = maxAnswerLetters * 4;
const lettersPerMs = 2;

/**
 * In duplex, half a session of audio at once is far too much. A written answer's speech comes as
 * fast as it is made.
 */
const maxSoundMs = {
  audio: (sessionSeconds.audio * 1000) / 2,
  video: sessionSeconds.video * 1000,
  chat: sessionSeconds.audio * 1000 * 2,
} as const satisfies Readonly<Record<Mode, number>>;

/** As many as a session has appends, then one per append. */
const maxTroubles = 600;
const troublesPerMs = 0.004;

/** Adds an event to the amounts; returns them unchanged if it adds nothing. */
export function countReceived(
  before: ReceivedAmounts | undefined,
  event: ServerEvent,
  at: number,
): ReceivedAmounts | undefined {
  switch (event.kind) {
    case 'output':
      return addAmounts(before, at, {
        answer: event.endOfTurn === true ? 'ends' : 'goesOn',
        letters: event.text?.length ?? 0,
        samples: event.audio?.length ?? 0,
      });
    case 'done':
      // The end repeats the streamed text, so only the additional part counts.
      return addAmounts(before, at, {
        answer: 'ends',
        letters: Math.max(0, event.text.length - (before?.answerLetters ?? 0)),
        samples: event.audio?.length ?? 0,
      });
    case 'listen':
      return before && { ...before, answerLetters: 0 };
    case 'error':
    case 'malformed':
      return addAmounts(before, at, { answer: 'goesOn', troubles: 1 });
    case 'queued':
    case 'admitted':
    case 'created':
    case 'closed':
    case 'unknown':
      return before;
  }
}

/** Why the session must end; undefined while the amounts are acceptable. */
export function findExcess(amounts: ReceivedAmounts, mode: Mode): AppError | undefined {
  const { answerLetters, letters, soundMs, troubles } = amounts;
  if (answerLetters > maxAnswerLetters) {
    return appError('answerTooLong', { letters: maxAnswerLetters });
  }
  if (letters > maxLetters) return appError('answerTooLong', { letters: maxLetters });
  if (soundMs > maxSoundMs[mode]) {
    return appError('soundTooLong', { minutes: maxSoundMs[mode] / 60_000 });
  }
  return troubles > maxTroubles ? appError('troublesWithoutEnd') : undefined;
}

interface AddedAmounts {
  readonly answer: 'goesOn' | 'ends';
  readonly letters?: number;
  readonly samples?: number;
  readonly troubles?: number;
}

function addAmounts(
  before: ReceivedAmounts | undefined,
  at: number,
  { answer, letters = 0, samples = 0, troubles = 0 }: AddedAmounts,
): ReceivedAmounts {
  const known = before ?? { ...nothingReceived, at };
  const passed = Math.max(0, at - known.at);
  const left = (amount: number, perMs: number): number => Math.max(0, amount - passed * perMs);
  const answerLetters = known.answerLetters + letters;
  const amounts = {
    at: Math.max(at, known.at),
    answerLetters,
    letters: left(known.letters, lettersPerMs) + letters,
    soundMs: left(known.soundMs, 1) + (samples * 1000) / outputRate,
    troubles: left(known.troubles, troublesPerMs) + troubles,
  };
  // The last event still counts for the answer it ends.
  return answer === 'ends' && answerLetters <= maxAnswerLetters
    ? { ...amounts, answerLetters: 0 }
    : amounts;
}
