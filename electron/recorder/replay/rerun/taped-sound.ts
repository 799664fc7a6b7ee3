import { inputRate } from '../../../../shared/protocol/protocol-limits.ts';

const perMs = inputRate / 1000;
/** Chunks whose places differ by less follow each other. */
const jitterSamples = inputRate / 10;

interface Piece {
  readonly from: number;
  readonly samples: Float32Array;
}

/** What went out of a microphone, put to where it was said, and taken from there as time goes on; silence where nothing was. */
export class TapedSound {
  #pieces: Piece[] = [];
  #end = 0;
  #taken = 0;

  /** A chunk that went out at this time was captured before. */
  put(sentAt: number, samples: Float32Array): void {
    const captured = Math.round(sentAt * perMs) - samples.length;
    const joins = captured - this.#end < jitterSamples;
    const from = Math.max(joins ? this.#end : captured, this.#taken);
    this.#pieces.push({ from, samples });
    this.#end = from + samples.length;
  }

  /** All up to then that has not been taken yet. */
  takeUntil(at: number): Float32Array {
    const until = Math.max(this.#taken, Math.round(at * perMs));
    const block = new Float32Array(until - this.#taken);
    for (const { from, samples } of this.#pieces) {
      const start = Math.max(from, this.#taken);
      const end = Math.min(from + samples.length, until);
      if (start < end) block.set(samples.subarray(start - from, end - from), start - this.#taken);
    }
    this.#taken = until;
    this.#pieces = this.#pieces.filter(({ from, samples }) => from + samples.length > until);
    return block;
  }
}
