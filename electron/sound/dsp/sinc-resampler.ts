import { createKernel } from './sinc-kernel.ts';
import type { Kernel } from './sinc-kernel.ts';

/** Longer blocks go through in pieces, so that a long one needs no long memory. */
const pieceSamples = 4096;

/**
 * A stream of sound at another rate: a polyphase filter with a windowed sinc. What comes out is in
 * time with what went in, and held back until the filter has seen what lies behind it.
 */
export class SincResampler {
  /** How many samples have to follow one before it is given. */
  readonly reach: number;
  readonly #up: number;
  readonly #down: number;
  readonly #kernel: Kernel;
  /** By how far behind a sample the wanted place lies, in parts of `up`. */
  readonly #rows: (Float32Array | undefined)[] = [];
  /** From the first sample that is still needed. */
  readonly #held: Float32Array;
  #count = 0;
  #phase = 0;

  constructor(from: number, to: number) {
    if (!isRate(from) || !isRate(to)) {
      throw new RangeError(`Sound cannot be converted from ${from} to ${to} Hz.`);
    }
    const common = greatestCommonDivisor(from, to);
    this.#up = to / common;
    this.#down = from / common;
    this.#kernel = createKernel(Math.min(1, to / from));
    this.reach = this.#kernel.reach;
    this.#held = new Float32Array(2 * this.reach + pieceSamples);
    this.restart();
  }

  readonly convert = (block: Float32Array): Float32Array => {
    const converted = new Float32Array(this.#readyWith(block.length));
    this.convertInto(block, converted);
    return converted;
  };

  /** The same into a buffer with room for it; says how many samples that was. */
  convertInto(block: Float32Array, converted: Float32Array): number {
    let written = 0;
    for (let at = 0; at < block.length; at += pieceSamples) {
      const piece = block.subarray(at, at + pieceSamples);
      this.#held.set(piece, this.#count);
      this.#count += piece.length;
      written = this.#write(converted, written);
    }
    return written;
  }

  /** Forgets all sound so far; what was before the next is taken to have been this. */
  readonly restart = (before = 0): void => {
    this.#held.fill(before, 0, this.reach);
    this.#count = this.reach;
    this.#phase = 0;
  };

  #readyWith(more: number): number {
    const places = this.#count + more - 2 * this.reach + 1;
    return places <= 0 ? 0 : Math.ceil((places * this.#up - this.#phase) / this.#down);
  }

  #write(converted: Float32Array, from: number): number {
    const held = this.#held;
    const end = this.#count - 2 * this.reach;
    let phase = this.#phase;
    let first = 0;
    let written = from;
    while (first <= end) {
      const row = (this.#rows[phase] ??= this.#kernel.row(phase / this.#up));
      converted[written] = product(held, first, row);
      written += 1;
      phase += this.#down;
      const steps = Math.floor(phase / this.#up);
      first += steps;
      phase -= steps * this.#up;
    }
    held.copyWithin(0, first, this.#count);
    this.#count -= first;
    this.#phase = phase;
    return written;
  }
}

function product(samples: Float32Array, from: number, row: Float32Array): number {
  let sum = 0;
  for (let tap = 0; tap < row.length; tap += 1) sum += (samples[from + tap] ?? 0) * (row[tap] ?? 0);
  return sum;
}

function isRate(rate: number): boolean {
  return Number.isInteger(rate) && rate > 0;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
