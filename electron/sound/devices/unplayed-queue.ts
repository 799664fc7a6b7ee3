/**
 * What was written to a speaker and has not been played yet. The native ring holds the same sound,
 * but dies with its device; from here it can be written again to the next one.
 */
export class UnplayedQueue {
  #chunks: Float32Array[] = [];
  /** Samples of the first chunk that have been played. */
  #into = 0;
  #total = 0;

  get samples(): number {
    return this.#total;
  }

  add(samples: Float32Array): void {
    if (samples.length === 0) return;
    this.#chunks.push(samples);
    this.#total += samples.length;
  }

  /** So many more have been played, or all there are; says how many that were. */
  played(count: number): number {
    const counted = Math.max(0, Math.min(count, this.#total));
    let left = counted;
    this.#total -= left;
    while (left > 0) {
      const [first] = this.#chunks;
      if (first === undefined) break;
      const here = Math.min(left, first.length - this.#into);
      left -= here;
      this.#into += here;
      if (this.#into < first.length) break;
      this.#chunks.shift();
      this.#into = 0;
    }
    return counted;
  }

  clear(): number {
    const dropped = this.#total;
    this.#chunks = [];
    this.#into = 0;
    this.#total = 0;
    return dropped;
  }

  /** Everything that is left, in order. */
  all(): readonly Float32Array[] {
    return this.#chunks.map((chunk, index) => (index === 0 ? chunk.subarray(this.#into) : chunk));
  }
}
