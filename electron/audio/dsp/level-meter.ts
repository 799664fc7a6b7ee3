import { silentLevelDb, type TalkLevel } from '../../../shared/talk/talk-view.ts';
import { fullScale, powerDb } from './loudness.ts';

/** The level of 50 ms of sound; a full-scale square wave is 0 dBFS. */
export interface LevelReading {
  readonly rmsDb: number;
  /** The RMS of either half, because a syllable can rise and fall within 50 ms. */
  readonly halvesDb: readonly [number, number];
  readonly peakDb: number;
  /** Samples at full scale or beyond, which the converter clipped. */
  readonly clipped: number;
}

const readingsPerSecond = 20;

/** Reads the level 20 times a second. Invalid samples count as silence; `cleanSamples` counts them. */
export class LevelMeter {
  readonly #window: number;
  readonly #half: number;
  readonly #emit: (reading: LevelReading) => void;
  #filled = 0;
  #sum = 0;
  #firstSum = 0;
  #peak = 0;
  #clipped = 0;

  constructor(rate: number, emit: (reading: LevelReading) => void) {
    this.#window = Math.round(rate / readingsPerSecond);
    if (!(this.#window >= 1)) throw new RangeError(`A level meter cannot run at ${rate} Hz.`);
    this.#half = Math.ceil(this.#window / 2);
    this.#emit = emit;
  }

  push(block: Float32Array): void {
    for (let from = 0; from < block.length;) {
      const end = this.#filled < this.#half ? this.#half : this.#window;
      const until = Math.min(block.length, from + end - this.#filled);
      this.#measure(block, from, until);
      this.#filled += until - from;
      from = until;
      if (this.#filled === this.#half) this.#firstSum = this.#sum;
      if (this.#filled === this.#window) this.#finish();
    }
  }

  /**
   * Uses an index, because an iterator allocates per sample, and local variables, because they are faster than fields.
   */
  #measure(block: Float32Array, from: number, until: number): void {
    let [sum, peak, clipped] = [this.#sum, this.#peak, this.#clipped];
    for (let n = from; n < until; n += 1) {
      const magnitude = Math.abs(block[n] ?? 0);
      if (!(magnitude < Infinity)) continue;
      sum += magnitude * magnitude;
      if (magnitude > peak) peak = magnitude;
      if (magnitude >= fullScale) clipped += 1;
    }
    this.#sum = sum;
    this.#peak = peak;
    this.#clipped = clipped;
  }

  reset(): void {
    this.#filled = 0;
    this.#sum = 0;
    this.#firstSum = 0;
    this.#peak = 0;
    this.#clipped = 0;
  }

  #finish(): void {
    const [sum, first, half] = [this.#sum, this.#firstSum, this.#half];
    // Rounding can make the difference slightly negative.
    const second = Math.max(0, sum - first);
    const reading: LevelReading = {
      rmsDb: powerDb(sum / this.#window),
      halvesDb: [powerDb(first / half), powerDb(second / Math.max(1, this.#window - half))],
      peakDb: powerDb(this.#peak ** 2),
      clipped: this.#clipped,
    };
    this.reset();
    this.#emit(reading);
  }
}

/** Half a second, after which the display has faded out. */
const shownSilentReadings = 10;

/** Forwards levels to the screens. During silence it forwards only the first ones, to save repaints. */
export function throttleSilence(emit: (level: TalkLevel) => void): (level: TalkLevel) => void {
  const silent = { you: 0, parley: 0 };
  return (level) => {
    silent[level.who] = level.rmsDb < silentLevelDb ? silent[level.who] + 1 : 0;
    if (silent[level.who] <= shownSilentReadings) emit(level);
  };
}
