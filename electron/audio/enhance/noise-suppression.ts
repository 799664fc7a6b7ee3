import type { EnhancementStrength } from '../../../shared/settings/audio-settings.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';

interface Strength {
  readonly minGain: number;
  /** Factor on the estimated noise; above 1 it removes more. */
  readonly oversubtraction: number;
  /** Exponent of the Wiener gain; below 1 it keeps more of a voice. */
  readonly exponent: number;
}

/** The minimum gains are −13 and −20 dB: with the first the room stays audible, with the second hardly. */
const strengths: Record<Exclude<EnhancementStrength, 'off'>, Strength> = {
  gentle: { minGain: 0.22, oversubtraction: 1, exponent: 0.4 },
  strong: { minGain: 0.1, oversubtraction: 1.3, exponent: 0.6 },
};
/** From this likelihood on a step is speech; below half of it, it is not. */
const speechLikelihood = 0.5;
/** Words end softly, so speech counts as present for this many more steps, and then fades. */
const hangoverSteps = 20;
const presenceDecay = 0.85;
/**
 * Learning rate of the noise estimate while nobody speaks. A step counts with at most `clickFactor` times the estimate,
 * so that clicks hardly raise it.
 */
const learningRate = 0.06;
const clickFactor = 6;
const fallRate = 0.2;
/** During speech the noise estimate rises by 0.6 dB/s, and falls faster, with `fallRate`. */
const riseFactor = 1.0014;
/** Weight of the previous output in the SNR estimate. It prevents musical noise. */
const snrSmoothing = 0.92;
const powerSmoothing = 0.6;
const tiny = 1e-12;

/** Computes gains that reduce stationary noise, for each bin, 100 times a second. */
export class NoiseGains {
  readonly values = new Float32Array(filterBins).fill(1);
  readonly #noisePower = new Float32Array(filterBins);
  readonly #smoothPower = new Float32Array(filterBins);
  readonly #cleanPower = new Float32Array(filterBins);
  #hasEstimate = false;
  #presence = 0;
  #hangover = 0;

  reset(): void {
    this.values.fill(1);
    this.#cleanPower.fill(0);
    this.#hasEstimate = false;
    this.#presence = 0;
    this.#hangover = 0;
  }

  /** Takes the power of a step's bins and the probability of speech in it. */
  follow(
    power: Float32Array,
    likelihood: number,
    strength: Exclude<EnhancementStrength, 'off'>,
  ): void {
    this.#estimateNoise(power, likelihood);
    this.#trackPresence(likelihood);
    const { minGain, oversubtraction, exponent } = strengths[strength];
    const minShare = minGain ** (1 / exponent);
    for (let bin = 0; bin < filterBins; bin += 1) {
      const noise = oversubtraction * (this.#noisePower[bin] ?? 0) + tiny;
      const excessSnr = Math.max(0, (power[bin] ?? 0) / noise - 1);
      const priorSnr =
        snrSmoothing * ((this.#cleanPower[bin] ?? 0) / noise) + (1 - snrSmoothing) * excessSnr;
      const share = priorSnr / (1 + priorSnr);
      // Most bins have the minimum gain, and `**` costs more than all the other operations.
      const gain = share <= minShare ? minGain : Math.max(minGain, share ** exponent);
      this.#cleanPower[bin] = gain * gain * (power[bin] ?? 0);
      this.values[bin] = minGain + this.#presence * (gain - minGain);
    }
  }

  #estimateNoise(power: Float32Array, likelihood: number): void {
    // A short gap within a word does not count as silence.
    const quiet = likelihood < speechLikelihood / 2 && this.#hangover < hangoverSteps / 2;
    for (let bin = 0; bin < filterBins; bin += 1) {
      const binPower = power[bin] ?? 0;
      const estimate = this.#noisePower[bin] ?? 0;
      const smoothed = this.#hasEstimate
        ? powerSmoothing * (this.#smoothPower[bin] ?? 0) + (1 - powerSmoothing) * binPower
        : binPower;
      this.#smoothPower[bin] = smoothed;
      // The sound may begin with a voice, so the first estimate is lower than its power.
      if (!this.#hasEstimate) this.#noisePower[bin] = binPower / clickFactor;
      else if (quiet) {
        const limited = Math.min(smoothed, clickFactor * estimate + tiny);
        this.#noisePower[bin] = estimate + learningRate * (limited - estimate);
      } else if (smoothed < estimate)
        this.#noisePower[bin] = estimate + fallRate * (smoothed - estimate);
      else this.#noisePower[bin] = estimate * riseFactor + tiny;
    }
    this.#hasEstimate = true;
  }

  #trackPresence(likelihood: number): void {
    this.#hangover =
      likelihood >= speechLikelihood ? hangoverSteps : Math.max(0, this.#hangover - 1);
    const rise = Math.min(1, Math.max(0, (2 * likelihood) / speechLikelihood - 1));
    this.#presence = this.#hangover > 0 ? 1 : Math.max(rise, presenceDecay * this.#presence);
  }
}

const size = 512;
const filterBins = size / 2 + 1;
export const filterDelayMs = 5;
/** Taps on each side of the center, at 16 kHz. */
export const filterDelay = filterDelayMs * 16;
const taps = filterDelay + 1;
/** New gains are reached within 10 ms, in this many steps. */
const gainSteps = 8;
const gainStepSamples = 20;

/** A linear-phase filter. New gains can be set at any time; it interpolates from the old ones. */
export class SpectralFilter {
  readonly #fft = new RealFft(size);
  readonly #gainSpectrum = emptyHalfSpectrum(size);
  readonly #work = new Float32Array(size);
  readonly #window = Float32Array.from(
    { length: taps },
    (_, n) => 0.5 + 0.5 * Math.cos((Math.PI * n) / taps),
  );
  /** From the center outwards. */
  readonly #taps = new Float32Array(taps);
  readonly #tapStep = new Float32Array(taps);
  /** Longer than the filter needs, so that the samples are seldom moved to the beginning. */
  readonly #history = new Float32Array(4096);
  #end = 0;
  #remainingSteps = 0;
  #untilStep = 0;

  constructor() {
    this.reset();
  }

  reset(): void {
    this.#taps.fill(0);
    this.#taps[0] = 1;
    this.#history.fill(0);
    this.#end = 2 * filterDelay;
    this.#remainingSteps = 0;
    this.#untilStep = 0;
  }

  setGains(gains: Float32Array): void {
    this.#gainSpectrum.re.set(gains);
    this.#gainSpectrum.im.fill(0);
    this.#fft.inverse(this.#gainSpectrum, this.#work);
    for (let n = 0; n < taps; n += 1) {
      const target = (this.#work[n] ?? 0) * (this.#window[n] ?? 0);
      this.#tapStep[n] = (target - (this.#taps[n] ?? 0)) / gainSteps;
    }
    this.#remainingSteps = gainSteps;
    this.#untilStep = 0;
  }

  /** Works in place, with a delay of 5 ms. */
  process(block: Float32Array): void {
    for (let from = 0; from < block.length;) {
      if (this.#remainingSteps > 0 && this.#untilStep === 0) this.#stepGains();
      if (this.#end === this.#history.length) this.#moveHistory();
      const available = this.#history.length - this.#end;
      const untilStep = this.#remainingSteps > 0 ? this.#untilStep : available;
      const count = Math.min(available, untilStep, block.length - from);
      this.#filter(block, from, from + count);
      from += count;
      this.#untilStep -= count;
    }
  }

  /** Four samples at a time, so that the sums do not wait for each other. */
  #filter(block: Float32Array, from: number, to: number): void {
    const history = this.#history;
    const weights = this.#taps;
    let middle = this.#end - filterDelay;
    for (let n = from; n < to; n += 1) history[this.#end + n - from] = block[n] ?? 0;
    this.#end += to - from;
    let at = from;
    for (; at + 4 <= to; at += 4) {
      const center = weights[0] ?? 0;
      let a = (history[middle] ?? 0) * center;
      let b = (history[middle + 1] ?? 0) * center;
      let c = (history[middle + 2] ?? 0) * center;
      let d = (history[middle + 3] ?? 0) * center;
      for (let n = 1; n < taps; n += 1) {
        const weight = weights[n] ?? 0;
        const before = middle - n;
        const after = middle + n;
        a += ((history[before] ?? 0) + (history[after] ?? 0)) * weight;
        b += ((history[before + 1] ?? 0) + (history[after + 1] ?? 0)) * weight;
        c += ((history[before + 2] ?? 0) + (history[after + 2] ?? 0)) * weight;
        d += ((history[before + 3] ?? 0) + (history[after + 3] ?? 0)) * weight;
      }
      block[at] = a;
      block[at + 1] = b;
      block[at + 2] = c;
      block[at + 3] = d;
      middle += 4;
    }
    for (; at < to; at += 1) {
      let sum = (history[middle] ?? 0) * (weights[0] ?? 0);
      for (let n = 1; n < taps; n += 1)
        sum += ((history[middle - n] ?? 0) + (history[middle + n] ?? 0)) * (weights[n] ?? 0);
      block[at] = sum;
      middle += 1;
    }
  }

  #stepGains(): void {
    this.#untilStep = gainStepSamples;
    this.#remainingSteps -= 1;
    for (let n = 0; n < taps; n += 1)
      this.#taps[n] = (this.#taps[n] ?? 0) + (this.#tapStep[n] ?? 0);
  }

  #moveHistory(): void {
    this.#history.copyWithin(0, this.#end - 2 * filterDelay);
    this.#end = 2 * filterDelay;
  }
}
