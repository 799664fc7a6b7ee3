import type { EnhancementStrength } from '../../../shared/settings/audio-settings.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';

interface Strength {
  readonly least: number;
  /** Factor on the average noise. */
  readonly caution: number;
  /** Exponent of the gain; below 1 it keeps more of a voice than a Wiener filter. */
  readonly hardness: number;
}

/** −13 and −20 dB: the room stays audible with the first, and hardly with the second. */
const strengths: Record<Exclude<EnhancementStrength, 'off'>, Strength> = {
  gentle: { least: 0.22, caution: 1, hardness: 0.4 },
  strong: { least: 0.1, caution: 1.3, hardness: 0.6 },
};
/** Above this likelihood there is speech, below half of it there is none. */
const speechLikelihood = 0.5;
/** Words end softly, so the gate stays open for this many steps and then fades. */
const hangoverSteps = 20;
const fading = 0.85;
/** Noise learning rate without speech, and the limit that keeps clicks out. */
const learning = 0.06;
const clickFactor = 6;
const falling = 0.2;
/** During speech the noise estimate rises by 0.6 dB/s. */
const rising = 1.0014;
/** Weight of the previous output in the SNR estimate, which prevents musical noise. */
const steadiness = 0.92;
const smoothing = 0.6;
const tiny = 1e-12;

/** Gain of each bin, updated 100 times a second, which reduces stationary noise. */
export class NoiseGains {
  readonly values = new Float32Array(filterBins).fill(1);
  readonly #noise = new Float32Array(filterBins);
  readonly #smooth = new Float32Array(filterBins);
  readonly #cleanPower = new Float32Array(filterBins);
  #begun = false;
  #presence = 0;
  #hangover = 0;

  reset(): void {
    this.values.fill(1);
    this.#cleanPower.fill(0);
    this.#begun = false;
    this.#presence = 0;
    this.#hangover = 0;
  }

  /** Takes the power of a step's bins and the probability of speech in it. */
  follow(
    power: Float32Array,
    likelihood: number,
    clearing: Exclude<EnhancementStrength, 'off'>,
  ): void {
    this.#learn(power, likelihood);
    this.#follow(likelihood);
    const { least, caution, hardness } = strengths[clearing];
    const leastShare = least ** (1 / hardness);
    for (let bin = 0; bin < filterBins; bin += 1) {
      const noise = caution * (this.#noise[bin] ?? 0) + tiny;
      const excessSnr = Math.max(0, (power[bin] ?? 0) / noise - 1);
      const priorSnr =
        steadiness * ((this.#cleanPower[bin] ?? 0) / noise) + (1 - steadiness) * excessSnr;
      const share = priorSnr / (1 + priorSnr);
      // Most bins are at the least gain, and a power costs more than all the rest.
      const gain = share <= leastShare ? least : Math.max(least, share ** hardness);
      this.#cleanPower[bin] = gain * gain * (power[bin] ?? 0);
      this.values[bin] = least + this.#presence * (gain - least);
    }
  }

  #learn(power: Float32Array, likelihood: number): void {
    // A short gap within a word does not count as silence.
    const quiet = likelihood < speechLikelihood / 2 && this.#hangover < hangoverSteps / 2;
    for (let bin = 0; bin < filterBins; bin += 1) {
      const binPower = power[bin] ?? 0;
      const estimate = this.#noise[bin] ?? 0;
      const smoothed = this.#begun
        ? smoothing * (this.#smooth[bin] ?? 0) + (1 - smoothing) * binPower
        : binPower;
      this.#smooth[bin] = smoothed;
      // The sound may begin with a voice, so the first estimate is lower.
      if (!this.#begun) this.#noise[bin] = binPower / clickFactor;
      else if (quiet) {
        const limited = Math.min(smoothed, clickFactor * estimate + tiny);
        this.#noise[bin] = estimate + learning * (limited - estimate);
      } else if (smoothed < estimate) this.#noise[bin] = estimate + falling * (smoothed - estimate);
      else this.#noise[bin] = estimate * rising + tiny;
    }
    this.#begun = true;
  }

  #follow(likelihood: number): void {
    this.#hangover =
      likelihood >= speechLikelihood ? hangoverSteps : Math.max(0, this.#hangover - 1);
    const rise = Math.min(1, Math.max(0, (2 * likelihood) / speechLikelihood - 1));
    this.#presence = this.#hangover > 0 ? 1 : Math.max(rise, fading * this.#presence);
  }
}

const size = 512;
const filterBins = size / 2 + 1;
/** Taps on either side of the center; they delay the sound by 5 ms. */
export const filterDelay = 80;
const taps = filterDelay + 1;
/** New gains are reached within 10 ms, in this many steps. */
const turns = 8;
const turnSamples = 20;

/** A linear-phase filter whose gains can change at any time; it interpolates between them. */
export class SpectralFilter {
  readonly #fft = new RealFft(size);
  readonly #gainSpectrum = emptyHalfSpectrum(size);
  readonly #work = new Float32Array(size);
  readonly #shape = Float32Array.from(
    { length: taps },
    (_, n) => 0.5 + 0.5 * Math.cos((Math.PI * n) / taps),
  );
  /** From the center outwards. */
  readonly #taps = new Float32Array(taps);
  readonly #change = new Float32Array(taps);
  /** Longer than needed, so the samples are moved only occasionally. */
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

  setGains(gains: Float32Array): void {
    this.#gainSpectrum.re.set(gains);
    this.#gainSpectrum.im.fill(0);
    this.#fft.inverse(this.#gainSpectrum, this.#work);
    for (let n = 0; n < taps; n += 1) {
      const goal = (this.#work[n] ?? 0) * (this.#shape[n] ?? 0);
      this.#change[n] = (goal - (this.#taps[n] ?? 0)) / turns;
    }
    this.#turnsLeft = turns;
    this.#untilTurn = 0;
  }

  /** Works in place, with a delay of 5 ms. */
  process(block: Float32Array): void {
    for (let from = 0; from < block.length;) {
      if (this.#turnsLeft > 0 && this.#untilTurn === 0) this.#turn();
      if (this.#end === this.#heard.length) this.#wrap();
      const room = this.#heard.length - this.#end;
      const untilTurn = this.#turnsLeft > 0 ? this.#untilTurn : room;
      const count = Math.min(room, untilTurn, block.length - from);
      this.#filter(block, from, from + count);
      from += count;
      this.#untilTurn -= count;
    }
  }

  /** Four samples at a time, so that the sums do not wait for each other. */
  #filter(block: Float32Array, from: number, to: number): void {
    const heard = this.#heard;
    const weights = this.#taps;
    let middle = this.#end - filterDelay;
    for (let n = from; n < to; n += 1) heard[this.#end + n - from] = block[n] ?? 0;
    this.#end += to - from;
    let at = from;
    for (; at + 4 <= to; at += 4) {
      const center = weights[0] ?? 0;
      let a = (heard[middle] ?? 0) * center;
      let b = (heard[middle + 1] ?? 0) * center;
      let c = (heard[middle + 2] ?? 0) * center;
      let d = (heard[middle + 3] ?? 0) * center;
      for (let n = 1; n < taps; n += 1) {
        const weight = weights[n] ?? 0;
        const before = middle - n;
        const after = middle + n;
        a += ((heard[before] ?? 0) + (heard[after] ?? 0)) * weight;
        b += ((heard[before + 1] ?? 0) + (heard[after + 1] ?? 0)) * weight;
        c += ((heard[before + 2] ?? 0) + (heard[after + 2] ?? 0)) * weight;
        d += ((heard[before + 3] ?? 0) + (heard[after + 3] ?? 0)) * weight;
      }
      block[at] = a;
      block[at + 1] = b;
      block[at + 2] = c;
      block[at + 3] = d;
      middle += 4;
    }
    for (; at < to; at += 1) {
      let sum = (heard[middle] ?? 0) * (weights[0] ?? 0);
      for (let n = 1; n < taps; n += 1)
        sum += ((heard[middle - n] ?? 0) + (heard[middle + n] ?? 0)) * (weights[n] ?? 0);
      block[at] = sum;
      middle += 1;
    }
  }

  #turn(): void {
    this.#untilTurn = turnSamples;
    this.#turnsLeft -= 1;
    for (let n = 0; n < taps; n += 1) this.#taps[n] = (this.#taps[n] ?? 0) + (this.#change[n] ?? 0);
  }

  #wrap(): void {
    this.#heard.copyWithin(0, this.#end - 2 * filterDelay);
    this.#end = 2 * filterDelay;
  }
}
