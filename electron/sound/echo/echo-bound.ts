import { echoBlockSamples } from '../capture/echo-canceller.ts';
import type { HalfSpectrum } from '../dsp/real-fft.ts';

/** Bins that are judged together: 250 Hz. */
const bandBins = 8;
/** From the loudspeaker to the microphone it takes less than so many blocks, and as much again to ring out. */
const spanBlocks = 16;
/** Before anything was heard: an echo louder than what is played. */
const first = 4;
/** A room that is quieter than was thought is believed soon, a louder one slowly, since it may be somebody. */
const fall = 0.4;
const rise = 1.12;
/** What is softer says nothing: of the power of a block, in each bin. */
const audible = 1e-7 * echoBlockSamples;

/**
 * How loud the echo can be in each bin, wherever in the last third of a second the loudspeaker's sound is heard: for
 * as long as it is not known when that is.
 */
export class EchoBound {
  readonly power: Float32Array;
  readonly #played: readonly [Float32Array, Float32Array];
  readonly #heard: readonly [Float32Array, Float32Array];
  /** How much of what is played comes back, band by band. */
  readonly #share: Float32Array;
  #now = 0;
  #blocks = 0;

  constructor(bins: number) {
    const bands = Math.ceil(bins / bandBins);
    this.power = new Float32Array(bins);
    this.#played = [new Float32Array(bins), new Float32Array(bins)];
    this.#heard = [new Float32Array(bins), new Float32Array(bins)];
    this.#share = new Float32Array(bands).fill(first);
  }

  /** What is played now, the share of a block in its spectrum, and the power of what is captured. */
  follow(played: HalfSpectrum, share: number, captured: Float32Array): void {
    const before = this.#played[1 - this.#now];
    const now = this.#played[this.#now];
    const heard = this.#heard[this.#now];
    if (before === undefined || now === undefined || heard === undefined) return;
    for (let bin = 0; bin < this.power.length; bin += 1) {
      const re = played.re[bin] ?? 0;
      const im = played.im[bin] ?? 0;
      const power = share * (re * re + im * im);
      if (power > (now[bin] ?? 0)) now[bin] = power;
      if ((captured[bin] ?? 0) > (heard[bin] ?? 0)) heard[bin] = captured[bin] ?? 0;
      const loudest = Math.max(now[bin] ?? 0, before[bin] ?? 0);
      this.power[bin] = (this.#share[Math.floor(bin / bandBins)] ?? 0) * loudest;
    }
    this.#blocks += 1;
    if (this.#blocks < spanBlocks) return;
    this.#blocks = 0;
    this.#learn();
    this.#now = 1 - this.#now;
    this.#played[this.#now]?.fill(0);
    this.#heard[this.#now]?.fill(0);
  }

  /** The echo of what was played a span ago has come in that span, or in this one. */
  #learn(): void {
    const played = this.#played[1 - this.#now];
    const one = this.#heard[0];
    const other = this.#heard[1];
    for (let band = 0; band < this.#share.length; band += 1) {
      let power = 0;
      let heard = 0;
      const end = Math.min(this.power.length, (band + 1) * bandBins);
      for (let bin = band * bandBins; bin < end; bin += 1) {
        power += played?.[bin] ?? 0;
        heard += Math.max(one[bin] ?? 0, other[bin] ?? 0);
      }
      if (power < audible * bandBins) continue;
      const known = this.#share[band] ?? 0;
      this.#share[band] = Math.max(known * fall, Math.min(heard / power, known * rise));
    }
  }
}
