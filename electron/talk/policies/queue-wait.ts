import type { SessionEvent } from '../session/session-event.ts';

/** A place in the queue as a page shows it, and counts down from by itself. */
export interface QueueWait {
  readonly position: number | undefined;
  readonly length: number | undefined;
  /** How long it takes from `at` on, smoothed; never below 0. */
  readonly etaSeconds: number | undefined;
  readonly at: number;
  /** The server's own estimate, to know the next one for update. */
  readonly serverSeconds: number | undefined;
}

/** What the server says of our place. */
export type QueueUpdate = Omit<Extract<SessionEvent, { event: 'queue' }>, 'event' | 'ticket'>;

/** Servers round, and count by the minute: so much is no other estimate. */
const sameSeconds = 3;
const sameShare = 0.15;

/** What is left at a later moment: it runs down to nothing, and never up. */
export function waitSeconds({ etaSeconds, at }: QueueWait, now: number): number | undefined {
  if (etaSeconds === undefined) return undefined;
  return Math.max(0, etaSeconds - Math.max(0, now - at) / 1000);
}

/** The place after an update. The countdown goes on where the update says nothing new about it. */
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
  // Many servers go by the place alone and repeat the same estimate until it changes.
  const moved = position !== undefined && position !== before.position;
  if (!moved && reported === before.serverSeconds) return true;
  return Math.abs(reported - running) <= Math.max(sameSeconds, reported * sameShare);
}

function usable(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}
