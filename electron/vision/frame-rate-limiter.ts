/** Leaves room for an inexact timer, but not for a second picture within the pause. */
const pauseShare = 0.75;

/**
 * Drops frames that come too early: an append carries one. Half an interval is enough, because a
 * page's timer is inexact.
 */
export class FrameRateLimiter {
  #last: number | undefined;

  accepts(at: number, intervalMs: number, minPauseMs: number): boolean {
    const minIntervalMs = Math.max(intervalMs / 2, minPauseMs * pauseShare);
    if (this.#last !== undefined && at - this.#last < minIntervalMs) return false;
    this.#last = at;
    return true;
  }

  reset(): void {
    this.#last = undefined;
  }
}
