import type { Clearing } from '../../../shared/settings/audio-settings.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';

/** How much noise is taken out, and how sure the detector has to be. */
interface Strength {
  /** No bin is made softer than by this. */
  readonly least: number;
  /** Noise is taken to be so much stronger than it is on the average. */
  readonly caution: number;
  /** How much of a bin in which both are is left to the voice: below 1 more than theory would. */
  readonly hardness: number;
}

/** −13 and −20 dB: with the first a room can still be heard, with the second hardly. */
const strengths: Record<Exclude<Clearing, 'off'>, Strength> = {
  gentle: { least: 0.22, caution: 1, hardness: 0.4 },
  strong: { least: 0.1, caution: 1.3, hardness: 0.6 },
};
/** Likely so much, and somebody speaks; half of it, and nobody does. */
const speaking = 0.5;
/** The last sound of a word is soft: it is let through for so many steps, and faded out. */
const heldSteps = 20;
const fading = 0.85;
/** How fast noise is learned while nobody speaks, and that a click is no noise. */
const learning = 0.06;
const clickFactor = 6;
const falling = 0.2;
/** While somebody speaks noise grows by 0.6 dB a second. */
const rising = 1.0014;
/** How much of what was let through before counts: without it single bins would twitter. */
const steadiness = 0.92;
const smoothing = 0.6;
const tiny = 1e-12;

/** How much of each bin is let through, 100 times a second: what is the room's own is made softer. */
export class NoiseGains {
  readonly values = new Float32Array(filterBins).fill(1);
  readonly #noise = new Float32Array(filterBins);
  readonly #smooth = new Float32Array(filterBins);
  readonly #kept = new Float32Array(filterBins);
  #begun = false;
  #presence = 0;
  #held = 0;

  reset(): void {
    this.values.fill(1);
    this.#kept.fill(0);
    this.#begun = false;
    this.#presence = 0;
    this.#held = 0;
  }

  /** The power of a step's bins, and how likely somebody spoke in it. */
  follow(power: Float32Array, likelihood: number, clearing: Exclude<Clearing, 'off'>): void {
    this.#learn(power, likelihood);
    this.#follow(likelihood);
    const { least, caution, hardness } = strengths[clearing];
    for (let bin = 0; bin < filterBins; bin += 1) {
      const noise = caution * (this.#noise[bin] ?? 0) + tiny;
      const over = Math.max(0, (power[bin] ?? 0) / noise - 1);
      const likely = steadiness * ((this.#kept[bin] ?? 0) / noise) + (1 - steadiness) * over;
      const gain = Math.max(least, (likely / (1 + likely)) ** hardness);
      this.#kept[bin] = gain * gain * (power[bin] ?? 0);
      // While nobody speaks every bin is kept soft, whatever is in it.
      this.values[bin] = least + this.#presence * (gain - least);
    }
  }

  #learn(power: Float32Array, likelihood: number): void {
    // Between the sounds of a word nobody has fallen silent yet.
    const quiet = likelihood < speaking / 2 && this.#held < heldSteps / 2;
    for (let bin = 0; bin < filterBins; bin += 1) {
      const now = power[bin] ?? 0;
      const known = this.#noise[bin] ?? 0;
      const smooth = this.#begun
        ? smoothing * (this.#smooth[bin] ?? 0) + (1 - smoothing) * now
        : now;
      this.#smooth[bin] = smooth;
      // A voice that is heard from the first sample on is no noise.
      if (!this.#begun) this.#noise[bin] = now / clickFactor;
      else if (quiet) {
        const seen = Math.min(smooth, clickFactor * known + tiny);
        this.#noise[bin] = known + learning * (seen - known);
      } else if (smooth < known) this.#noise[bin] = known + falling * (smooth - known);
      else this.#noise[bin] = known * rising + tiny;
    }
    this.#begun = true;
  }

  #follow(likelihood: number): void {
    this.#held = likelihood >= speaking ? heldSteps : Math.max(0, this.#held - 1);
    const rise = Math.min(1, Math.max(0, (2 * likelihood) / speaking - 1));
    this.#presence = this.#held > 0 ? 1 : Math.max(rise, fading * this.#presence);
  }
}

const size = 512;
const filterBins = size / 2 + 1;
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
