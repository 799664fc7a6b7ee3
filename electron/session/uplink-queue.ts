import type { MicrophoneChunk, UnansweredAppend, UplinkState } from './session-state.ts';
import {
  lostAppendTimeoutMs,
  lostAppendTimeoutWithEchoMs,
  maxPendingChunks,
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
  const timeoutMs = uplink.echoes ? lostAppendTimeoutWithEchoMs : lostAppendTimeoutMs;
  const since = Math.max(uplink.answeredAt, oldest.at);
  return at - since > timeoutMs ? { ...uplink, unanswered: [] } : uplink;
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
