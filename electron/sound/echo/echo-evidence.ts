import type { EchoFinding } from '../capture/echo-canceller.ts';
import { energyOf } from '../dsp/energy-of.ts';

/** Blocks that are judged together: 200 ms. */
const windowBlocks = 20;
/** Of which so many must have been played into. */
const playedBlocks = 10;
/** So many windows without any, and there is no echo: four seconds of an answer. */
const enough = 20;
/** A filter that takes away so much has found one: 1 dB. */
const found = 1.26;
const fading = 0.97;

/**
 * Whether there is an echo at all: with headphones a filter takes nothing away, and then nothing may be taken out of
 * who speaks either.
 */
export class EchoEvidence {
  #blocks = 0;
  #played = 0;
  #captured = 0;
  #left = 0;
  #windows = 0;
  #best = 0;

  get finding(): EchoFinding {
    if (this.#best >= found) return 'heard';
    return this.#windows < enough ? 'unknown' : 'none';
  }

  /** A block as it came, and what a filter left of it. */
  follow(frame: Float32Array, rest: Float32Array, played: boolean): void {
    this.#captured += energyOf(frame);
    this.#left += energyOf(rest);
    this.#blocks += 1;
    if (played) this.#played += 1;
    if (this.#blocks < windowBlocks) return;
    if (this.#played >= playedBlocks && this.#captured > 0) {
      this.#windows += 1;
      const taken = this.#captured / (this.#left + 1e-12);
      this.#best = Math.max(taken, 1 + (this.#best - 1) * fading);
    }
    this.#blocks = 0;
    this.#played = 0;
    this.#captured = 0;
    this.#left = 0;
  }
}
