import { silentLevelDb, type TalkLevel } from '../../../shared/talk/talk-view.ts';

/** The lowest level, in dBFS. Silence has it, because its logarithm is undefined. */
const floorDb = -100;
/** The largest 16-bit sample, where most microphones clip. */
const fullScale = 32_767 / 32_768;

/** Converts a mean square to dBFS; a full-scale square wave is 0. */
export function powerDb(power: number): number {
  return power > 0 ? Math.max(floorDb, 10 * Math.log10(power)) : floorDb;
}

/** The level of a block in dBFS; samples that are not finite count as silence. */
export function levelDb(block: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < block.length; n += 1) {
    const sample = block[n] ?? 0;
    if (Math.abs(sample) < Infinity) sum += sample * sample;
  }
  return powerDb(sum / block.length);
}

/** The sum of squares. `**` would be a function call in code that is not optimized yet, so this multiplies. */
export function energyOf(samples: Float32Array, from = 0, to = samples.length): number {
  let sum = 0;
  for (let n = from; n < to; n += 1) {
    const sample = samples[n] ?? 0;
    sum += sample * sample;
  }
  return sum;
}

/** Shorter than a syllable, longer than a period of the deepest voice. */
export const voiceBlockMs = 20;

/** The level of each 20 ms, in dBFS; samples left at the end belong to the last block. */
export function blockLevels(samples: Float32Array, rate: number): Float32Array {
  const length = (rate * voiceBlockMs) / 1000;
  const levels = new Float32Array(Math.max(1, Math.floor(samples.length / length)));
  for (let frame = 0; frame < levels.length; frame += 1) {
    const from = frame * length;
    const to = frame === levels.length - 1 ? samples.length : from + length;
    levels[frame] = powerDb(energyOf(samples, from, to) / Math.max(1, to - from));
  }
  return levels;
}

/** Speech is louder than this with every microphone. */
export const inaudibleDb = -55;
/** The model hardly understands quieter speech. */
export const quietDb = -38;
/** Sound this far below the loud parts of speech is room noise. */
const belowLoudDb = 35;
/** Allowed share of clipped samples. A single peak at full scale is harmless; a voice that is too loud stays there. */
const clippedShare = 0.0005;

/** Lowest level among the loudest half second of blocks, contiguous or not; a click is shorter. */
export function loudLevel(levels: Float32Array): number {
  const count = Math.min(500 / voiceBlockMs, levels.length);
  return levels.toSorted()[levels.length - count] ?? inaudibleDb;
}

/** Minimum level of speech in a sound whose loud parts have the level `loudDb`. */
export function speechThreshold(loudDb: number): number {
  return Math.max(inaudibleDb, loudDb - belowLoudDb);
}

export function speechLevel(levels: Float32Array, threshold: number): number {
  const spoken = levels.filter((level) => level >= threshold);
  const power = spoken.reduce((sum, level) => sum + 10 ** (level / 10), 0);
  return powerDb(power / Math.max(1, spoken.length));
}

export function isClipped(samples: Float32Array): boolean {
  let count = 0;
  for (let n = 0; n < samples.length; n += 1) {
    if (Math.abs(samples[n] ?? 0) >= fullScale) count += 1;
  }
  return count > samples.length * clippedShare;
}

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
