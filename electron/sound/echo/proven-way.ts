import { energyOf } from '../dsp/energy-of.ts';

/** What a filter leaves is judged over some 60 ms. */
const fading = 0.8;
/** It works well where it takes away so much: 10 dB. */
const well = 0.1;
/** Of what is softer nothing is learned of it. */
const audible = 1e-6;
/** Not once in so many blocks in which something is played, and what was proven is of another room. */
const staleAfter = 200;

/** Whether what a filter has learned is worth to be kept, and whether what was kept is to be held on to. */
export class ProvenWay {
  #captured = 0;
  #left = 0;
  #since = Infinity;

  /** There is a way that has worked. */
  get isThere(): boolean {
    return this.#since < staleAfter;
  }

  forget(): void {
    this.#since = Infinity;
  }

  /** A block as it came, and what the filter leaves of it by now; says whether that works well. */
  follow(frame: Float32Array, rest: Float32Array): boolean {
    this.#captured = fading * this.#captured + ((1 - fading) * energyOf(frame)) / frame.length;
    this.#left = fading * this.#left + ((1 - fading) * energyOf(rest)) / rest.length;
    const isGood = this.#captured > audible && this.#left < well * this.#captured;
    if (isGood) this.#since = 0;
    else if (this.#captured > audible) this.#since += 1;
    return isGood;
  }
}
