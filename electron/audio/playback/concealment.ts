import { isQuiet, periodAtEnd, periodRange, type PeriodRange } from '../dsp/pitch-period.ts';
import { fadeCurve, appendToHistory } from '../dsp/samples.ts';

const windowMs = 10;
/** A voice prolonged for longer sounds mechanical, so it fades. */
const steadyMs = 40;
const fallMs = 100;
/** An unvoiced sound would buzz, so it fades sooner. */
const roughFallMs = 30;
const minSimilarity = 0.6;
const smoothMs = 2.5;
/** Inaudible part of a gap in a voice; shorter than the fade. */
const voiceBridgeMs = 80;
export const pauseBridgeMs = 60;

/** Fills a gap in the sound by repeating its last pitch period with a fade. */
export class Concealment {
  readonly #rate: number;
  readonly #range: PeriodRange;
  readonly #window: number;
  readonly #tail: Float32Array;
  #loop = new Float32Array(1);
  /** Difference between the expected next sample and the loop's first. */
  #jump = 0;
  #steady = 0;
  #fall: Float32Array = new Float32Array(0);
  #at = 0;

  constructor(rate: number) {
    this.#rate = rate;
    this.#range = periodRange(rate);
    this.#window = this.#samples(windowMs);
    this.#tail = new Float32Array(this.#window + this.#range.max);
  }

  /** True if the fill has faded out, or there was nothing to repeat. */
  get isOver(): boolean {
    return this.#at >= this.#steady + this.#fall.length;
  }

  /** True if the sound ended in a pause, which needs no fill. */
  get isInPause(): boolean {
    return isQuiet(this.#tail, 0, this.#tail.length);
  }

  /** Length of a gap that the fill makes inaudible. */
  get bridgeMs(): number {
    if (this.isInPause) return pauseBridgeMs;
    return Math.min(voiceBridgeMs, ((this.#steady + this.#fall.length) * 1000) / this.#rate);
  }

  forget(): void {
    this.#tail.fill(0);
  }

  follow(block: Float32Array): void {
    appendToHistory(this.#tail, block);
  }

  begin(): void {
    const tail = this.#tail;
    const { length } = tail;
    this.#at = 0;
    this.#steady = 0;
    this.#fall = new Float32Array(0);
    if (this.isInPause) return;
    const period = periodAtEnd(tail, this.#range, this.#window);
    const voiced = period.similarity >= minSimilarity;
    const lag = voiced ? period.length : this.#range.max;
    this.#steady = voiced ? this.#samples(steadyMs) : 0;
    this.#fall = fadeCurve(this.#samples(voiced ? fallMs : roughFallMs)).toReversed();
    this.#loop = tail.slice(length - lag);
    // Smooths both joins: the loop's end into its start, and the played sound into the loop.
    const seam = fadeCurve(Math.min(this.#samples(smoothMs), Math.floor(lag / 2)));
    for (let n = 0; n < seam.length; n += 1) {
      const at = lag - seam.length + n;
      const before = tail[length - lag - seam.length + n] ?? 0;
      this.#loop[at] = mix(this.#loop[at] ?? 0, before, seam[n] ?? 0);
    }
    const next = 2 * (tail[length - 1] ?? 0) - (tail[length - 2] ?? 0);
    this.#jump = next - (this.#loop[0] ?? 0);
  }

  /** Returns the next samples; silence after the fade. */
  next(count: number): Float32Array {
    const smooth = this.#samples(smoothMs);
    const block = new Float32Array(count);
    for (let n = 0; n < count && !this.isOver; n += 1, this.#at += 1) {
      const at = this.#at;
      const gain = at < this.#steady ? 1 : (this.#fall[at - this.#steady] ?? 0);
      const jump = at < smooth ? this.#jump * (1 - at / smooth) : 0;
      block[n] = ((this.#loop[at % this.#loop.length] ?? 0) + jump) * gain;
    }
    return block;
  }

  #samples(ms: number): number {
    return Math.max(1, Math.round((ms * this.#rate) / 1000));
  }
}

function mix(one: number, other: number, share: number): number {
  return one + (other - one) * share;
}
