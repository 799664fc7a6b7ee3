import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import {
  contextTokens,
  type Mode,
  outputRate,
  sessionSeconds,
  type ServerEvent,
} from '../../../shared/protocol/realtime-api.ts';

/** Wait for the connection to open; TCP, TLS and the upgrade usually take well under a second. */
export const openTimeoutMs = 15_000;

/** Wait for the queue position or the admission, which gateways send as soon as the connection opens. */
export const firstEventTimeoutMs = 20_000;

/**
 * Wait for the session before the other dialect is tried, because deployed legacy servers stay silent.
 * A unified server that is slower refuses the legacy attempt, which costs one connection.
 */
export const otherDialectTimeoutMs = 20_000;

/** The same wait if no other dialect remains, so that a long wait costs nothing. */
export const createdTimeoutMs = 60_000;

/** The same wait in a chat, for a server that last spoke legacy. A server with chat confirms an init without voice or prompt at once. */
export const legacyChatTimeoutMs = 3_000;

/** A refusal within this time after a configure is its effect; servers need 40 ms, the rest is for the network. */
export const immediateRefusalMs = 5_000;

/** The first dialect, the other, and the first again, because the server may only have been slow at first. */
export const maxConfigures = 3;

/** After a failed hand-over the worker stays busy for about a second, so Parley tries again this often. */
export const maxHandOvers = 4;
export const handOverBackoffMs = 200;
export const handOverJitterMs = 200;

/** Wait for the server's reply to `session.close`, and for the close of the connection. */
export const closeReplyTimeoutMs = 2_000;
export const disconnectTimeoutMs = 1_000;

/** Cap of unanswered appends: the server works on one, one waits there, and one is on the wire. */
export const maxUnansweredAppends = 3;

/**
 * While a server sends a flood of events, its answers are read late. One more append is then allowed for each of this
 * many events, for at most `maxFloodMs`. No single step brings so many.
 */
export const outputsPerAppend = 64;
export const maxFloodMs = 12_000;

/** Chunks kept beyond the cap; sound older than about three seconds no longer helps a conversation. */
export const maxPendingChunks = 3;

/**
 * Documented servers drop appends silently. After this time without any answer, all unanswered
 * appends count as lost.
 */
export const lostAppendTimeoutMs = 5_000;
/** The same for a server that repeats the id of an append in its answer. */
export const lostAppendTimeoutWithEchoMs = 30_000;

/**
 * An append of a server with numbered steps counts as lost after this time, counted from the end of
 * the step before. A step takes less than a second; a slower server gets twice its longest step.
 */
export const silentStepMs = 1_500;
export const silentStepAtMostMs = 3_000;

/**
 * The same time before the server's first answer. It is below three seconds, so that the fourth
 * second of sound is sent on time if three answers are lost.
 */
export const firstStepMs = 2_500;

/** A server with numbered steps sends a text's sound within this time, also after the model listened. */
export const lateSoundAtMostMs = 1_500;

/** A live server that owes an answer and sends nothing for this long is gone. */
export const stallTimeoutMs = 60_000;
/** A chat turn without streaming sends nothing until it is complete. */
export const chatStallTimeoutMs = 180_000;
/** A streamed turn continues in parts. */
export const chatStallBetweenDeltasMs = 60_000;
/** The malformed frame may have been the turn's end. */
export const chatStallAfterMalformedMs = 20_000;

/** Deltas closer than this belong to one step: no model is faster. */
export const sameStepGapMs = 100;

/** Sound follows its step's text within this time; a whole step takes about a second. */
export const soundAfterTextGapMs = 700;

/** A listen within this time after an interruption is its effect. */
export const recentInterruptMs = 5_000;

/** A listen within this time after a voice is its effect; the model yields a step or two after the chunk with the voice. */
export const recentVoiceMs = 2_500;

/** An error explains a close that follows within this time. */
export const errorExplainsCloseMs = 5_000;

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

/** As many errors at once as a session has appends; one drains per 250 ms. */
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
