import type { HalfSpectrum } from '../dsp/real-fft.ts';

/** Bins that are judged together: 250 Hz. */
const bandBins = 8;
const bands = 24;
const smoothing = 0.85;
/** A filter that takes away so much has learned the room. */
const learned = 8;
/** A band in which a filter adds so much is of another room… */
const worse = 1.25;
/** …if what it expects there is not too little to tell… */
const telling = 0.25;
/** …in most of those that tell, and for as long as this, in blocks. */
const most = 0.6;
const fewest = 4;
const worseBlocks = 5;
const tiny = 1e-9;

/**
 * Tells a loudspeaker that is suddenly elsewhere, or later, from a sound that a filter does not know yet: the
 * first is wrong in most bands, the second in some.
 */
export class PathWatch {
  readonly #captured = new Float32Array(bands);
  readonly #left = new Float32Array(bands);
  readonly #expected = new Float32Array(bands);
  #hasLearned = false;
  #worse = 0;

  reset(): void {
    for (const memory of [this.#captured, this.#left, this.#expected]) memory.fill(0);
    this.#worse = 0;
  }

  /** What is left of a block and the echo that was taken out of it; says whether the room is another one. */
  follow(left: HalfSpectrum, expected: HalfSpectrum): boolean {
    let capturedPower = 0;
    let leftPower = 0;
    let tell = 0;
    let wrong = 0;
    for (let band = 0; band < bands; band += 1) {
      this.#gather(band, left, expected);
      const [captured, rest] = [this.#captured[band] ?? 0, this.#left[band] ?? 0];
      capturedPower += captured;
      leftPower += rest;
      if ((this.#expected[band] ?? 0) <= telling * captured + tiny) continue;
      tell += 1;
      if (rest > worse * captured) wrong += 1;
    }
    if (leftPower * learned < capturedPower) this.#hasLearned = true;
    const isWorse = leftPower > capturedPower && tell >= fewest && wrong >= most * tell;
    this.#worse = isWorse && this.#hasLearned ? this.#worse + 1 : 0;
    if (this.#worse < worseBlocks) return false;
    this.#hasLearned = false;
    this.reset();
    return true;
  }

  #gather(band: number, left: HalfSpectrum, expected: HalfSpectrum): void {
    let captured = 0;
    let rest = 0;
    let echo = 0;
    const from = 1 + band * bandBins;
    for (let bin = from; bin < from + bandBins; bin += 1) {
      const re = left.re[bin] ?? 0;
      const im = left.im[bin] ?? 0;
      const echoRe = expected.re[bin] ?? 0;
      const echoIm = expected.im[bin] ?? 0;
      captured += (re + echoRe) ** 2 + (im + echoIm) ** 2;
      rest += re ** 2 + im ** 2;
      echo += echoRe ** 2 + echoIm ** 2;
    }
    smooth(this.#captured, band, captured);
    smooth(this.#left, band, rest);
    smooth(this.#expected, band, echo);
  }
}

function smooth(powers: Float32Array, band: number, power: number): void {
  const before = powers[band] ?? 0;
  powers[band] = before + (1 - smoothing) * (power - before);
}
