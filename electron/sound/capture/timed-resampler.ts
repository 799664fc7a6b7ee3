import { SincResampler } from '../dsp/sinc-resampler.ts';

/**
 * A resampler that also says when what it gives was captured. It holds samples back, so that what comes
 * out of it with a block began before that block.
 */
export class TimedResampler {
  readonly #resampler: SincResampler;
  readonly #from: number;
  readonly #to: number;
  #taken = 0;
  #given = 0;

  constructor(from: number, to: number) {
    this.#resampler = new SincResampler(from, to);
    this.#from = from;
    this.#to = to;
  }

  convert(block: Float32Array, at: number): { readonly block: Float32Array; readonly at: number } {
    const behind = this.#taken / this.#from - this.#given / this.#to;
    const converted = this.#resampler.convert(block);
    this.#taken += block.length;
    this.#given += converted.length;
    return { block: converted, at: at - behind * 1000 };
  }
}
