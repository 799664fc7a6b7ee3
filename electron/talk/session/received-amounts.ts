import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import {
  contextTokens,
  type Mode,
  outputRate,
  sessionSeconds,
} from '../../../shared/protocol/realtime-api.ts';
import type { ServerEvent } from '../../../shared/protocol/server-event.ts';

/**
 * What a server has sent beyond what anybody takes in meanwhile. Each amount but the answer's letters runs off
 * with the time, as water does from a leaking bucket.
 */
export interface ReceivedAmounts {
  readonly at: number;
  /** Of the answer that is coming. */
  readonly answerLetters: number;
  readonly letters: number;
  /** Sound that can not have been heard yet. */
  readonly soundMs: number;
  /** Errors, and frames that cannot be read. */
  readonly troubles: number;
}

const nothingReceived = { answerLetters: 0, letters: 0, soundMs: 0, troubles: 0 } as const;

/** All that fits into a model's context, at 32 letters a token: no answer comes near to it. */
const maxAnswerLetters = contextTokens * 32;
/** Answers one after the other: four of the longest at once, and then faster than any model writes. */
const maxLetters = maxAnswerLetters * 4;
const lettersPerMs = 2;

/**
 * A model speaks a second for each second it hears: half a session of sound at once is far from that. The
 * speech of a written answer comes as fast as it is made, and twice a session's time is as much as is kept of it.
 */
const maxSoundMs = {
  audio: (sessionSeconds.audio * 1000) / 2,
  video: sessionSeconds.video * 1000,
  chat: sessionSeconds.audio * 1000 * 2,
} as const satisfies Readonly<Record<Mode, number>>;

/** One with each append of a whole session would be as many; then one with each append. */
const maxTroubles = 600;
const troublesPerMs = 0.004;

/** The amounts with an event; the same where it adds nothing. */
export function countReceived(
  before: ReceivedAmounts | undefined,
  event: ServerEvent,
  at: number,
): ReceivedAmounts | undefined {
  switch (event.kind) {
    case 'output':
      return added(before, at, {
        answer: event.endOfTurn === true ? 'ends' : 'goesOn',
        letters: event.text?.length ?? 0,
        samples: event.audio?.length ?? 0,
      });
    case 'done':
      // What was streamed before comes once more: only what is longer than that is new.
      return added(before, at, {
        answer: 'ends',
        letters: Math.max(0, event.text.length - (before?.answerLetters ?? 0)),
        samples: event.audio?.length ?? 0,
      });
    case 'listen':
      return before && { ...before, answerLetters: 0 };
    case 'error':
    case 'malformed':
      return added(before, at, { answer: 'goesOn', troubles: 1 });
    case 'queued':
    case 'admitted':
    case 'created':
    case 'closed':
    case 'unknown':
      return before;
  }
}

/** Why a session cannot go on with so much; nothing as long as it can. */
export function excessOf(amounts: ReceivedAmounts, mode: Mode): AppError | undefined {
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

interface Added {
  readonly answer: 'goesOn' | 'ends';
  readonly letters?: number;
  readonly samples?: number;
  readonly troubles?: number;
}

function added(
  before: ReceivedAmounts | undefined,
  at: number,
  { answer, letters = 0, samples = 0, troubles = 0 }: Added,
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
  // The end itself is still of the answer: it counts before it is forgotten.
  return answer === 'ends' && answerLetters <= maxAnswerLetters
    ? { ...amounts, answerLetters: 0 }
    : amounts;
}
