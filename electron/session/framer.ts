import { inputRate, shortestAppend } from '../../shared/protocol/limits.ts';

/** Longer chunks are no conversation; the bound also keeps a wrong number from taking all memory. */
const longestChunk = 10 * inputRate;

/** Gathers microphone blocks of any length into chunks of one length; loses no sample. */
export class Framer {
  readonly #length: number;
  #chunk: Float32Array;
  #filled = 0;

  constructor(chunkMs: number) {
    this.#length = chunkLength(chunkMs);
    this.#chunk = new Float32Array(this.#length);
  }

  /** Hands out a chunk as often as one is full; it belongs to whom it was given. */
  push(block: Float32Array, give: (chunk: Float32Array) => void): void {
    let from = 0;
    while (from < block.length) {
      const count = Math.min(block.length - from, this.#length - this.#filled);
      this.#chunk.set(block.subarray(from, from + count), this.#filled);
      this.#filled += count;
      from += count;
      if (this.#filled === this.#length) give(this.#take());
    }
  }

  /** What is gathered so far, made as long as an append must be with silence. */
  cut(): Float32Array {
    const length = Math.max(this.#filled, shortestAppend);
    // A chunk is never shorter than an append, and its rest is zero: silence is there already.
    return this.#take().subarray(0, length);
  }

  forget(): void {
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

function chunkLength(chunkMs: number): number {
  const length = Math.round((chunkMs * inputRate) / 1000);
  if (Number.isNaN(length)) return inputRate;
  return Math.min(longestChunk, Math.max(shortestAppend, length));
}
