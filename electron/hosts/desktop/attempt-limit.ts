/** So many attempts within a time, and then no more until some of them are long ago. */
export class AttemptLimit {
  readonly #most: number;
  readonly #withinMs: number;
  readonly #now: () => number;
  #attempts: readonly number[] = [];

  constructor(most: number, withinMs: number, now: () => number) {
    this.#most = most;
    this.#withinMs = withinMs;
    this.#now = now;
  }

  /** Whether there may be another one, which is counted then. */
  take(): boolean {
    const at = this.#now();
    this.#attempts = this.#attempts.filter((attempt) => at - attempt < this.#withinMs);
    if (this.#attempts.length >= this.#most) return false;
    this.#attempts = [...this.#attempts, at];
    return true;
  }
}
