import type { SessionEvent } from '../session/session-event.ts';

/** Position in the queue and remaining wait, as known at `at`. */
export interface QueueWait {
  readonly position: number | undefined;
  readonly length: number | undefined;
  /** Remaining wait at `at`, never negative. */
  readonly etaSeconds: number | undefined;
  readonly at: number;
  /** The server's latest estimate, to detect repeats. */
  readonly serverSeconds: number | undefined;
}

export type QueueUpdate = Omit<Extract<SessionEvent, { event: 'queue' }>, 'event' | 'ticket'>;

/** Servers round their estimates, so the countdown ignores differences up to the larger of these two. */
const sameSeconds = 3;
const sameShare = 0.15;

export function waitSeconds({ etaSeconds, at }: QueueWait, now: number): number | undefined {
  if (etaSeconds === undefined) return undefined;
  return Math.max(0, etaSeconds - Math.max(0, now - at) / 1000);
}

/** Applies a queue update; the countdown continues if the update repeats the estimate. */
export function queueWait(
  before: QueueWait | undefined,
  update: QueueUpdate,
  at: number,
): QueueWait {
  const running = before === undefined ? undefined : waitSeconds(before, at);
  const reported = usable(update.etaSeconds);
  return {
    position: usable(update.position) ?? before?.position,
    length: usable(update.length) ?? before?.length,
    etaSeconds:
      reported === undefined || isStale(before, update, reported, running) ? running : reported,
    at,
    serverSeconds: reported ?? before?.serverSeconds,
  };
}

function isStale(
  before: QueueWait | undefined,
  { position }: QueueUpdate,
  reported: number,
  running: number | undefined,
): boolean {
  if (before === undefined || running === undefined) return false;
  // Many servers estimate from the position alone and repeat the estimate until it changes.
  const moved = position !== undefined && position !== before.position;
  if (!moved && reported === before.serverSeconds) return true;
  return Math.abs(reported - running) <= Math.max(sameSeconds, reported * sameShare);
}

function usable(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}
