import { isQuiet, periodAtEnd, periodRange, type PeriodRange } from '../dsp/pitch-period.ts';
import { appendToHistory, fadeCurve } from '../dsp/samples.ts';

/** Length of the newest sound that is compared with earlier sound, to find the pitch period. */
const windowMs = 10;
/** A prolonged voice sounds mechanical after this time, so it begins to fade. */
const steadyMs = 40;
const voicedFadeMs = 100;
/** A repeated unvoiced sound buzzes, so it fades at once and faster. */
const unvoicedFadeMs = 30;
/** A sound whose periods are less similar counts as unvoiced. */
const minSimilarity = 0.6;
const loopJoinMs = 2.5;
/** Longest gap within a voice that is inaudible once concealed. */
const voiceBridgeMs = 80;
/** Longest gap in a pause that is inaudible. */
const pauseBridgeMs = 60;

/** Fills a gap in the sound by repeating its last pitch period with a fade. */
export class Concealment {
  readonly #rate: number;
  readonly #range: PeriodRange;
  readonly #window: number;
  readonly #history: Float32Array;
  #loop = new Float32Array(1);
  /** Difference between the next sample by extrapolation and the loop's first sample. It fades within `loopJoinMs`. */
  #offset = 0;
  #steadyLength = 0;
  #fadeOut: Float32Array = new Float32Array(0);
  #position = 0;

  constructor(rate: number) {
    this.#rate = rate;
    this.#range = periodRange(rate);
    this.#window = this.#samples(windowMs);
    this.#history = new Float32Array(this.#window + this.#range.max);
  }

  /** True if the fill has faded out, or there was no sound to repeat. */
  get isOver(): boolean {
    return this.#position >= this.#steadyLength + this.#fadeOut.length;
  }

  /** True if the sound ended in a pause, which needs no fill. */
  get isInPause(): boolean {
    return isQuiet(this.#history, 0, this.#history.length);
  }

  /** Length of the longest gap that stays inaudible: in a pause without the fill, elsewhere with it. */
  get bridgeMs(): number {
    if (this.isInPause) return pauseBridgeMs;
    return Math.min(
      voiceBridgeMs,
      ((this.#steadyLength + this.#fadeOut.length) * 1000) / this.#rate,
    );
  }

  forget(): void {
    this.#history.fill(0);
  }

  /** Takes sound that is played. */
  follow(block: Float32Array): void {
    appendToHistory(this.#history, block);
  }

  /** Begins a gap after the sound taken last. */
  begin(): void {
    const history = this.#history;
    const { length } = history;
    this.#position = 0;
    this.#steadyLength = 0;
    this.#fadeOut = new Float32Array(0);
    if (this.isInPause) return;
    const period = periodAtEnd(history, this.#range, this.#window);
    const voiced = period.similarity >= minSimilarity;
    const lag = voiced ? period.length : this.#range.max;
    this.#steadyLength = voiced ? this.#samples(steadyMs) : 0;
    this.#fadeOut = fadeCurve(this.#samples(voiced ? voicedFadeMs : unvoicedFadeMs)).toReversed();
    this.#loop = history.slice(length - lag);
    // Crossfades the loop's end into the samples before its start, so that a repetition does not click.
    const seam = fadeCurve(Math.min(this.#samples(loopJoinMs), Math.floor(lag / 2)));
    for (let n = 0; n < seam.length; n += 1) {
      const at = lag - seam.length + n;
      const before = history[length - lag - seam.length + n] ?? 0;
      this.#loop[at] = mix(this.#loop[at] ?? 0, before, seam[n] ?? 0);
    }
    const next = 2 * (history[length - 1] ?? 0) - (history[length - 2] ?? 0);
    this.#offset = next - (this.#loop[0] ?? 0);
  }

  /** Returns the next samples; silence after the fade. */
  next(count: number): Float32Array {
    const joinLength = this.#samples(loopJoinMs);
    const block = new Float32Array(count);
    for (let n = 0; n < count && !this.isOver; n += 1, this.#position += 1) {
      const at = this.#position;
      const gain = at < this.#steadyLength ? 1 : (this.#fadeOut[at - this.#steadyLength] ?? 0);
      const offset = at < joinLength ? this.#offset * (1 - at / joinLength) : 0;
      block[n] = ((this.#loop[at % this.#loop.length] ?? 0) + offset) * gain;
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
