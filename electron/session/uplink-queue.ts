import type { CommonFields } from '../../shared/protocol/server-event.ts';
import type { MicrophoneChunk, ModelStep, UnansweredAppend, UplinkState } from './session-state.ts';
import {
  lostAppendTimeoutMs,
  lostAppendTimeoutWithEchoMs,
  maxPendingChunks,
  silentStepAtMostMs,
  silentStepMs,
} from './session-timeouts.ts';

/** A chunk joins the ones that wait; the oldest make room. Says how many samples were lost. */
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

/** Appends that were dropped in silence would hold their places for ever. */
export function dropLostAppends(uplink: UplinkState, at: number): UplinkState {
  const [oldest] = uplink.unanswered;
  if (oldest === undefined) return uplink;
  if (uplink.numbersFrom !== undefined && !uplink.echoes)
    return dropSilentSteps(uplink, oldest, at);
  const timeoutMs = uplink.echoes ? lostAppendTimeoutWithEchoMs : lostAppendTimeoutMs;
  const since = Math.max(uplink.answeredAt, oldest.at);
  return at - since > timeoutMs ? { ...uplink, unanswered: [] } : uplink;
}

/** One by one: what follows a silent step may still be in work, and holds back what comes after it. */
function dropSilentSteps(uplink: UplinkState, oldest: UnansweredAppend, at: number): UplinkState {
  const watchMs = Math.min(silentStepAtMostMs, Math.max(silentStepMs, 2 * (uplink.stepMs ?? 0)));
  const over = Math.max(uplink.answeredAt, oldest.at) + watchMs;
  if (at <= over) return uplink;
  const unanswered = uplink.unanswered.slice(1);
  return dropLostAppends({ ...uplink, unanswered, answeredAt: over }, at);
}

/**
 * The C++ worker echoes no `input_id`; its `response_id` ends in the number of the append instead. A
 * number counts only where it names an append that is unanswered or the step that is going on: other
 * servers number their answers. Sound carries the newest append's number and not its own.
 */
export function numberedAppend(
  uplink: UplinkState,
  step: ModelStep | undefined,
  { inputId, responseId }: CommonFields,
): number | undefined {
  if (inputId !== undefined || uplink.echoes) return undefined;
  const digits = /_resp_(\d{1,9})$/.exec(responseId ?? '')?.[1];
  if (digits === undefined) return undefined;
  const from = digits === '0' ? 0 : (uplink.numbersFrom ?? 1);
  const append = Number(digits) + 1 - from;
  const first = uplink.count - uplink.unanswered.length + 1;
  const isUnanswered = append >= first && append <= uplink.count;
  return isUnanswered || append === step?.append ? append : undefined;
}

/** The server is done with this append and, as it works in order, with those before. */
export function settleNumbered(
  uplink: UplinkState,
  append: number,
  responseId: string | undefined,
  at: number,
): { readonly uplink: UplinkState; readonly settled: UnansweredAppend | undefined } {
  const index = append - (uplink.count - uplink.unanswered.length + 1);
  const settled = uplink.unanswered[index];
  if (settled === undefined) return { uplink, settled };
  const tookMs = at - Math.max(settled.at, uplink.answeredAt);
  return {
    uplink: {
      ...uplink,
      unanswered: uplink.unanswered.slice(index + 1),
      answeredAt: at,
      numbersFrom: responseId?.endsWith('_resp_0') === true ? 0 : (uplink.numbersFrom ?? 1),
      stepMs: Math.max(tookMs, 0.8 * (uplink.stepMs ?? 0)),
    },
    settled,
  };
}

/**
 * An answer by its echoed id settles that append and, as appends are worked in order, those before.
 * Without echo the first event of a step settles the oldest; where none is left there is nothing to
 * settle, so that counting one step too many is forgotten as soon as the server has caught up.
 */
export function settleAppend(
  uplink: UplinkState,
  inputId: string | undefined,
  idPrefix: string,
  fresh: boolean,
  at: number,
): { readonly uplink: UplinkState; readonly settled: UnansweredAppend | undefined } {
  const echoed = inputId?.startsWith(idPrefix) ?? false;
  const index = echoed
    ? uplink.unanswered.findIndex((sent) => sent.inputId === inputId)
    : fresh
      ? 0
      : -1;
  const settled = uplink.unanswered[index];
  const echoes = uplink.echoes || echoed;
  if (settled === undefined) return { uplink: { ...uplink, echoes }, settled };
  const unanswered = uplink.unanswered.slice(index + 1);
  return { uplink: { ...uplink, unanswered, echoes, answeredAt: at }, settled };
}
