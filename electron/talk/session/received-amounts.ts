import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import {
  contextTokens,
  type Mode,
  outputRate,
  sessionSeconds,
  type ServerEvent,
} from '../../../shared/protocol/realtime-api.ts';

/** Amounts that a server has sent. All but `answerCharacters` drain with time, as in a leaky bucket. */
export interface ReceivedAmounts {
  readonly at: number;
  readonly answerCharacters: number;
  readonly characters: number;
  /** Sound that cannot have been heard yet. */
  readonly soundMs: number;
  /** Errors, malformed frames and tool calls. */
  readonly errors: number;
}

const nothingReceived = { answerCharacters: 0, characters: 0, soundMs: 0, errors: 0 } as const;

/** A full context at 32 characters per token; no answer comes near it. */
const maxAnswerCharacters = contextTokens * 32;
/** Four of the longest answers at once; the amount drains faster than any model writes. */
const maxCharacters = maxAnswerCharacters * 4;
const charactersPerMs = 2;

/**
 * In duplex, sound comes in real time, so five minutes of it at once are too much. The speech of a
 * written answer comes as fast as it is generated.
 */
const maxSoundMs = {
  audio: (sessionSeconds.audio * 1000) / 2,
  video: sessionSeconds.video * 1000,
  chat: sessionSeconds.audio * 1000 * 2,
} as const satisfies Readonly<Record<Mode, number>>;

/** One error for each append of a ten-minute session with chunks of a second. One drains per 250 ms. */
const maxErrors = 600;
const errorsPerMs = 0.004;

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
        characters: event.text?.length ?? 0,
        samples: event.audio?.length ?? 0,
      });
    case 'done':
      // The end repeats the streamed text, so only the additional part counts.
      return addAmounts(before, at, {
        answer: 'ends',
        characters: Math.max(0, event.text.length - (before?.answerCharacters ?? 0)),
        samples: event.audio?.length ?? 0,
      });
    case 'listen':
      return before && { ...before, answerCharacters: 0 };
    // A model calls tools rarely, so calls count like errors.
    case 'toolCall':
    case 'error':
    case 'malformed':
      return addAmounts(before, at, { answer: 'goesOn', errors: 1 });
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
  const { answerCharacters, characters, soundMs, errors } = amounts;
  if (answerCharacters > maxAnswerCharacters) {
    return appError('answerTooLong', { letters: maxAnswerCharacters });
  }
  if (characters > maxCharacters) return appError('answerTooLong', { letters: maxCharacters });
  if (soundMs > maxSoundMs[mode]) {
    return appError('soundTooLong', { minutes: maxSoundMs[mode] / 60_000 });
  }
  return errors > maxErrors ? appError('troublesWithoutEnd') : undefined;
}

interface AddedAmounts {
  readonly answer: 'goesOn' | 'ends';
  readonly characters?: number;
  readonly samples?: number;
  readonly errors?: number;
}

function addAmounts(
  before: ReceivedAmounts | undefined,
  at: number,
  { answer, characters = 0, samples = 0, errors = 0 }: AddedAmounts,
): ReceivedAmounts {
  const known = before ?? { ...nothingReceived, at };
  const passed = Math.max(0, at - known.at);
  const drain = (amount: number, perMs: number): number => Math.max(0, amount - passed * perMs);
  const answerCharacters = known.answerCharacters + characters;
  const amounts = {
    at: Math.max(at, known.at),
    answerCharacters,
    characters: drain(known.characters, charactersPerMs) + characters,
    soundMs: drain(known.soundMs, 1) + (samples * 1000) / outputRate,
    errors: drain(known.errors, errorsPerMs) + errors,
  };
  // The last event still counts for the answer it ends.
  return answer === 'ends' && answerCharacters <= maxAnswerCharacters
    ? { ...amounts, answerCharacters: 0 }
    : amounts;
}
