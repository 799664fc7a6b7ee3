import type { Kernel } from './sinc-kernel.ts';
import { createKernel } from './sinc-kernel.ts';

/** Places between two samples; the nearest is wrong by 1/512 of a sample at most. */
const phases = 256;
/** It is read where an echo is looked for, which asks for less than who listens does, and it is asked for all the time. */
const crossings = 16;

/** Reads a ring of samples between its samples, without what is above the half rate at `ratio`. */
export class SincReader {
  readonly #ring: Float32Array;
  readonly #kernel: Kernel;
  readonly #rows: (Float32Array | undefined)[] = [];

  constructor(ring: Float32Array, ratio: number) {
    this.#ring = ring;
    this.#kernel = createKernel(ratio, crossings);
  }

  /** From so many samples on behind a sound nothing of it is read. */
  get reach(): number {
    return this.#kernel.reach + 1;
  }

  /** The value at a place; outside of `from` (in) to `to` (out) there is silence. */
  at(place: number, from: number, to: number): number {
    const near = Math.round(place * phases);
    const whole = Math.floor(near / phases);
    const row = this.#row(near - whole * phases);
    const ring = this.#ring;
    const start = whole - this.#kernel.reach;
    const last = Math.min(start + row.length, to);
    let sum = 0;
    // What is asked for lies in one piece, or in two where the ring begins again.
    for (let index = Math.max(start, from); index < last;) {
      const slot = index % ring.length;
      const end = Math.min(last, index + ring.length - slot);
      const shift = slot - index;
      for (; index < end; index += 1) sum += (ring[index + shift] ?? 0) * (row[index - start] ?? 0);
    }
    return sum;
  }

  #row(phase: number): Float32Array {
    return (this.#rows[phase] ??= this.#kernel.row(phase / phases));
  }
}
