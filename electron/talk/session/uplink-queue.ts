import type { CommonFields } from '../../../shared/protocol/realtime-api.ts';
import type { MicrophoneChunk, ModelStep, UnansweredAppend, UplinkState } from './session-state.ts';

/** Cap of unanswered appends: the server works on one, one waits there, and one is on the wire. */
const maxUnansweredAppends = 3;

/**
 * While a server sends a flood of events, its answers are read late. One more append is then allowed per
 * `outputsPerAppend` events, for at most `maxFloodMs`. No single step brings that many events.
 */
const outputsPerAppend = 64;
const maxFloodMs = 12_000;

/** Chunks kept beyond the cap; sound older than about three seconds no longer helps a conversation. */
const maxPendingChunks = 3;

/**
 * According to the documentation, servers drop appends silently. After this time without any answer, all unanswered
 * appends count as lost.
 */
const lostAppendTimeoutMs = 5_000;
/** The time for a server that repeats the id of an append in its answer. */
const lostAppendTimeoutWithEchoMs = 30_000;

/**
 * If a server numbers its steps, an append counts as lost this long after it was sent, or after the last answer or loss if
 * that came later. A step usually takes less than a second. For a slower server, the time is twice its longest recent step,
 * and at most `silentStepAtMostMs`.
 */
const silentStepMs = 1_500;
const silentStepAtMostMs = 3_000;

/**
 * Before the server's first answer, an append counts as lost after this time. It is below three seconds, so that the fourth
 * second of sound is sent on time if three answers are lost.
 */
const firstStepMs = 2_500;

/** Adds a chunk to the waiting ones and drops the oldest if necessary. Returns the samples dropped. */
export function enqueueChunk(
  uplink: UplinkState,
  chunk: MicrophoneChunk,
): { readonly uplink: UplinkState; readonly dropped: number } {
  const all = [...uplink.waiting, chunk];
  const waiting = all.slice(-maxPendingChunks);
  const dropped = all
    .slice(0, all.length - waiting.length)
    .reduce((samples, { audio }) => samples + audio.length, 0);
  return { uplink: { ...uplink, waiting }, dropped };
}

/** Gives up appends that the server dropped silently, which would occupy the cap forever. */
export function dropLostAppends(uplink: UplinkState, at: number): UplinkState {
  const [oldest] = uplink.unanswered;
  if (oldest === undefined) return uplink;
  // Before its first answer a server may lose some appends, so each is given up by its age.
  if (!uplink.hasAnswered) return dropSilentSteps(uplink, oldest, at, firstStepMs);
  if (uplink.firstNumber !== undefined && !uplink.echoes) {
    const stepMs = Math.max(silentStepMs, 2 * (uplink.stepMs ?? 0));
    return dropSilentSteps(uplink, oldest, at, Math.min(silentStepAtMostMs, stepMs));
  }
  const timeoutMs = uplink.echoes ? lostAppendTimeoutWithEchoMs : lostAppendTimeoutMs;
  const since = Math.max(uplink.answeredAt, oldest.at);
  return at - since > timeoutMs ? { ...uplink, unanswered: [] } : uplink;
}

/** Gives up one append at a time, because the server may still be working on the next. */
function dropSilentSteps(
  uplink: UplinkState,
  oldest: UnansweredAppend,
  at: number,
  watchMs: number,
): UplinkState {
  const since = uplink.hasAnswered ? Math.max(uplink.answeredAt, oldest.at) : oldest.at;
  const lostAt = since + watchMs;
  if (at <= lostAt) return uplink;
  const unanswered = uplink.unanswered.slice(1);
  return dropLostAppends({ ...uplink, unanswered, answeredAt: lostAt }, at);
}

/** An append identified by the step number in the server's event. */
export interface NumberedAppend {
  readonly append: number;
  readonly firstNumber: 0 | 1;
}

/** The C++ server echoes no `input_id`, but its `response_id` may end in the number of the append it answers. */
export function numberedAppend(
  { count, unanswered, echoes, firstNumber = 1 }: UplinkState,
  step: ModelStep | undefined,
  { inputId, responseId }: CommonFields,
): NumberedAppend | undefined {
  if (inputId !== undefined || echoes) return undefined;
  const number = responseNumber(responseId);
  if (number === undefined) return undefined;
  const first = number === 0 ? 0 : firstNumber;
  const append = number + 1 - first;
  const isUnanswered = append > count - unanswered.length && append <= count;
  return isUnanswered || append === step?.append ? { append, firstNumber: first } : undefined;
}

export function responseNumber(responseId: string | undefined): number | undefined {
  const digits = /_resp_(\d{1,9})$/.exec(responseId ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Settles this append and those before it, because the server works in order. */
export function settleNumbered(
  uplink: UplinkState,
  { append, firstNumber }: NumberedAppend,
  at: number,
): SettledUplink {
  const index = append - 1 - (uplink.count - uplink.unanswered.length);
  const { uplink: next, settled } = settleUpTo(uplink, index, at);
  if (settled === undefined) return { uplink, settled };
  const tookMs = at - Math.max(settled.at, uplink.answeredAt);
  const stepMs = Math.max(tookMs, 0.8 * (uplink.stepMs ?? 0));
  return { uplink: { ...next, firstNumber, stepMs }, settled };
}

/**
 * Settles the append that an event answers. An echoed id also settles those before it, because the server works in order. Without an echo,
 * each new step settles one.
 */
export function settleAppend(
  uplink: UplinkState,
  inputId: string | undefined,
  idPrefix: string,
  fresh: boolean,
  at: number,
): SettledUplink {
  const echoed = inputId?.startsWith(idPrefix) ?? false;
  const index = echoed
    ? uplink.unanswered.findIndex((sent) => sent.inputId === inputId)
    : fresh
      ? 0
      : -1;
  return settleUpTo({ ...uplink, echoes: uplink.echoes || echoed }, index, at);
}

interface SettledUplink {
  readonly uplink: UplinkState;
  readonly settled: UnansweredAppend | undefined;
}

function settleUpTo(uplink: UplinkState, index: number, at: number): SettledUplink {
  const settled = uplink.unanswered[index];
  if (settled === undefined) return { uplink, settled };
  const unanswered = uplink.unanswered.slice(index + 1);
  return {
    uplink: { ...uplink, unanswered, answeredAt: at, hasAnswered: true, outputs: 0 },
    settled,
  };
}

export function roomForAppends({ unanswered, outputs }: UplinkState, at: number): number {
  const waitedMs = at - (unanswered[0]?.at ?? at);
  const inFlood = waitedMs < maxFloodMs ? Math.floor(outputs / outputsPerAppend) : 0;
  return maxUnansweredAppends + inFlood - unanswered.length;
}
