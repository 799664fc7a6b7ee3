import type { Resampler } from '../../electron/ports/sound.ts';

/** Repeats or leaves out samples, and remembers where it is between blocks. */
export class FakeResampler implements Resampler {
  closed = false;
  restarts = 0;
  readonly #step: number;
  #at = 0;

  constructor(from: number, to: number) {
    this.#step = from / to;
  }

  readonly convert = (block: Float32Array): Float32Array => {
    if (this.closed) throw new Error('A closed converter is used.');
    const converted: number[] = [];
    for (; this.#at < block.length; this.#at += this.#step) {
      converted.push(block[Math.floor(this.#at)] ?? 0);
    }
    this.#at -= block.length;
    return Float32Array.from(converted);
  };

  readonly restart = (): void => {
    this.#at = 0;
    this.restarts += 1;
  };

  readonly close = (): void => {
    this.closed = true;
  };
}
