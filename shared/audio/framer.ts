/** Collects blocks of any length into chunks of fixed length, without loss. */
export class Framer {
  readonly #length: number;
  #chunk: Float32Array;
  #filled = 0;

  constructor(length: number) {
    if (!Number.isInteger(length) || length < 1)
      throw new RangeError(`A chunk length must be a positive integer, not ${length}.`);
    this.#length = length;
    this.#chunk = new Float32Array(length);
  }

  /** Samples missing in the current chunk; 0 if it is empty. */
  get missing(): number {
    return this.#filled === 0 ? 0 : this.#length - this.#filled;
  }

  /** Returns the chunks completed by the block; the caller owns them. */
  push(block: Float32Array): readonly Float32Array[] {
    const complete: Float32Array[] = [];
    let from = 0;
    while (from < block.length) {
      const count = Math.min(block.length - from, this.#length - this.#filled);
      this.#chunk.set(block.subarray(from, from + count), this.#filled);
      this.#filled += count;
      from += count;
      if (this.#filled === this.#length) complete.push(this.#take());
    }
    return complete;
  }

  /** Returns the incomplete chunk, padded with silence to `minLength`, but never longer than a chunk. */
  flush(minLength = 0): Float32Array {
    const length = Math.max(this.#filled, minLength);
    // The rest of the chunk is zero already.
    return this.#take().subarray(0, length);
  }

  reset(): void {
    this.#chunk.fill(0);
    this.#filled = 0;
  }

  #take(): Float32Array {
    const chunk = this.#chunk;
    this.#chunk = new Float32Array(this.#length);
    this.#filled = 0;
    return chunk;
  }
}
