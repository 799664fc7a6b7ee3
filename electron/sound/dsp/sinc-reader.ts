import type { Kernel } from './sinc-kernel.ts';
import { createKernel } from './sinc-kernel.ts';

/** Places between two samples; the nearest is wrong by 1/512 of a sample at most. */
const phases = 256;

/** Reads a ring of samples between its samples, without what is above the half rate at `ratio`. */
export class SincReader {
  readonly #ring: Float32Array;
  readonly #kernel: Kernel;
  readonly #rows: (Float32Array | undefined)[] = [];

  constructor(ring: Float32Array, ratio: number) {
    this.#ring = ring;
    this.#kernel = createKernel(ratio);
  }

  /** The value at a place; outside of `from` (in) to `to` (out) there is silence. */
  at(place: number, from: number, to: number): number {
    const near = Math.round(place * phases);
    const whole = Math.floor(near / phases);
    const row = this.#row(near - whole * phases);
    const first = whole - this.#kernel.reach;
    const last = Math.min(first + row.length, to);
    const { length } = this.#ring;
    let index = Math.max(first, from);
    let slot = index % length;
    let sum = 0;
    for (; index < last; index += 1) {
      sum += (this.#ring[slot] ?? 0) * (row[index - first] ?? 0);
      slot = slot + 1 === length ? 0 : slot + 1;
    }
    return sum;
  }

  #row(phase: number): Float32Array {
    return (this.#rows[phase] ??= this.#kernel.row(phase / phases));
  }
}
