/** From grabbing to being ready to go with a chunk: encoding, the way to the core, preparation. */
const leadMs = 150;

/**
 * When to grab. By itself one grab an interval; once it is known when frames go to the model, just
 * before the next one goes, so that what it sees is 150 ms old and not up to a whole chunk.
 */
export class GrabSchedule {
  #grabbedAt: number | undefined;
  #sentAt: number | undefined;

  grabbed(at: number): void {
    this.#grabbedAt = at;
  }

  sent(at: number): void {
    this.#sentAt = at;
  }

  /** Milliseconds from now until the next grab. */
  wait(now: number, intervalMs: number): number {
    if (this.#grabbedAt === undefined) return 0;
    const due = this.#grabbedAt + intervalMs;
    const known = this.#sentAt !== undefined && now - this.#sentAt < 2 * intervalMs;
    if (!known || this.#sentAt === undefined) return Math.max(0, due - now);
    // The core accepts no second frame within half an interval.
    const soonest = Math.max(now, this.#grabbedAt + 0.6 * intervalMs);
    const first = this.#sentAt - leadMs;
    const rounds = Math.ceil((soonest - first) / intervalMs);
    return Math.max(0, first + rounds * intervalMs - now);
  }
}
