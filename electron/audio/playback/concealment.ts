import { isQuiet, periodAtEnd, periodRange, type PeriodRange } from '../dsp/pitch-period.ts';
import { fadeCurve, shiftIn } from '../dsp/samples.ts';

const windowMs = 10;
/** A voice that goes on like this for longer sounds like a machine: it dies away. */
const steadyMs = 40;
const fallMs = 100;
/** A sound without a pitch would buzz. */
const roughFallMs = 30;
const minLikeness = 0.6;
const smoothMs = 2.5;
/** The part of a gap that goes unheard where a voice goes on: shorter than it takes to die away. */
const voiceBridgeMs = 80;
/** A pause that grows by so much is a pause still. */
export const pauseBridgeMs = 60;

/** Goes on with a sound that is not there yet: its last period again and again, ever more softly. */
export class Concealment {
  readonly #rate: number;
  readonly #range: PeriodRange;
  readonly #window: number;
  readonly #tail: Float32Array;
  #loop = new Float32Array(1);
  /** From where the sound really was into the loop. */
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

  /** It has died away, or there was nothing to go on with. */
  get over(): boolean {
    return this.#at >= this.#steady + this.#fall.length;
  }

  /** The sound ended in a pause: to go on with it adds nothing. */
  get inPause(): boolean {
    return isQuiet(this.#tail, 0, this.#tail.length);
  }

  /** How much of a gap behind it goes unheard, as it was when it began. */
  get bridgeMs(): number {
    if (this.inPause) return pauseBridgeMs;
    return Math.min(voiceBridgeMs, ((this.#steady + this.#fall.length) * 1000) / this.#rate);
  }

  /** Forgets the sound so far: the next has nothing to do with it. */
  forget(): void {
    this.#tail.fill(0);
  }

  /** Remembers the sound that went out last, to go on with it. */
  follow(block: Float32Array): void {
    shiftIn(this.#tail, block);
  }

  begin(): void {
    const tail = this.#tail;
    const { length } = tail;
    this.#at = 0;
    this.#steady = 0;
    this.#fall = new Float32Array(0);
    if (this.inPause) return;
    const period = periodAtEnd(tail, this.#range, this.#window);
    const voiced = period.likeness >= minLikeness;
    const lag = voiced ? period.length : this.#range.max;
    this.#steady = voiced ? this.#samples(steadyMs) : 0;
    this.#fall = fadeCurve(this.#samples(voiced ? fallMs : roughFallMs)).toReversed();
    this.#loop = tail.slice(length - lag);
    // Its end is led into its beginning, and its beginning out of where the sound was.
    const seam = fadeCurve(Math.min(this.#samples(smoothMs), Math.floor(lag / 2)));
    for (let n = 0; n < seam.length; n += 1) {
      const at = lag - seam.length + n;
      const before = tail[length - lag - seam.length + n] ?? 0;
      this.#loop[at] = mix(this.#loop[at] ?? 0, before, seam[n] ?? 0);
    }
    const next = 2 * (tail[length - 1] ?? 0) - (tail[length - 2] ?? 0);
    this.#jump = next - (this.#loop[0] ?? 0);
  }

  /** The next samples; silence once it is over. */
  next(count: number): Float32Array {
    const smooth = this.#samples(smoothMs);
    const block = new Float32Array(count);
    for (let n = 0; n < count && !this.over; n += 1, this.#at += 1) {
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
