import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';

const size = 512;
export const filterBins = size / 2 + 1;
/** To either side of the middle: as long it takes for sound to come through, 5 ms. */
export const filterDelay = 80;
const taps = filterDelay + 1;
/** A new shape is reached within 10 ms, in so many steps. */
const turns = 8;
const turnSamples = 20;

/**
 * A filter whose shape is steered while sound goes through it: how much of each bin is let through is set as often as
 * one likes, and reached smoothly. It is symmetric, so that it delays every tone alike.
 */
export class SteeredFilter {
  readonly #fft = new RealFft(size);
  readonly #wanted = emptyHalfSpectrum(size);
  readonly #work = new Float32Array(size);
  readonly #shape = Float32Array.from(
    { length: taps },
    (_, n) => 0.5 + 0.5 * Math.cos((Math.PI * n) / taps),
  );
  /** From the middle outwards. */
  readonly #taps = new Float32Array(taps);
  readonly #change = new Float32Array(taps);
  /** Twice as long as is needed, so that it is moved once in a while only. */
  readonly #heard = new Float32Array(4096);
  #end = 0;
  #turnsLeft = 0;
  #untilTurn = 0;

  constructor() {
    this.reset();
  }

  reset(): void {
    this.#taps.fill(0);
    this.#taps[0] = 1;
    this.#heard.fill(0);
    this.#end = 2 * filterDelay;
    this.#turnsLeft = 0;
    this.#untilTurn = 0;
  }

  /** From now on so much of each bin is let through. */
  steer(gains: Float32Array): void {
    this.#wanted.re.set(gains);
    this.#wanted.im.fill(0);
    this.#fft.inverse(this.#wanted, this.#work);
    for (let n = 0; n < taps; n += 1) {
      const goal = (this.#work[n] ?? 0) * (this.#shape[n] ?? 0);
      this.#change[n] = (goal - (this.#taps[n] ?? 0)) / turns;
    }
    this.#turnsLeft = turns;
    this.#untilTurn = 0;
  }

  /** In place; what comes out went in 5 ms before. */
  process(block: Float32Array): void {
    for (let n = 0; n < block.length; n += 1) {
      if (this.#end === this.#heard.length) this.#wrap();
      this.#heard[this.#end] = block[n] ?? 0;
      this.#end += 1;
      if (this.#turnsLeft > 0) this.#turn();
      block[n] = this.#out(this.#end - 1 - filterDelay);
    }
  }

  #out(middle: number): number {
    const heard = this.#heard;
    const weights = this.#taps;
    let sum = (heard[middle] ?? 0) * (weights[0] ?? 0);
    for (let n = 1; n < weights.length; n += 1)
      sum += ((heard[middle - n] ?? 0) + (heard[middle + n] ?? 0)) * (weights[n] ?? 0);
    return sum;
  }

  #turn(): void {
    if (this.#untilTurn > 0) {
      this.#untilTurn -= 1;
      return;
    }
    this.#untilTurn = turnSamples - 1;
    this.#turnsLeft -= 1;
    for (let n = 0; n < taps; n += 1) this.#taps[n] = (this.#taps[n] ?? 0) + (this.#change[n] ?? 0);
  }

  #wrap(): void {
    this.#heard.copyWithin(0, this.#end - 2 * filterDelay);
    this.#end = 2 * filterDelay;
  }
}
