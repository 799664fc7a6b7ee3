import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { type LevelScene, loudnesses } from './noise-scenes.ts';
import { type Clip, measureLevel, step, stepLevels } from './recorded-scenes.ts';
import { stoi } from './stoi.ts';

export interface Loudness {
  /** Ratio of speech to everything else, in speech steps. */
  readonly sdrDb: number;
  readonly pausesDb: number;
  readonly voicedDb: number;
}

/** With intelligibility (STOI), which is undefined for short words. */
export interface OutputQuality extends Loudness {
  readonly intelligibility: number | undefined;
}

/** Steps after which a processor should know the noise. */
const knownSteps = 50;
const maxDelay = inputRate / 20;
/** Samples that are enough to find a sound. */
const searched = 3 * inputRate;

/** A candidate's delay, from a sound that it leaves mostly unchanged. */
export function measureDelay(before: Float32Array, after: Float32Array): number {
  let [best, most] = [0, -Infinity];
  for (let delay = 0; delay < maxDelay; delay += 1) {
    let sum = 0;
    for (let n = delay; n < Math.min(after.length, searched); n += 1)
      sum += (before[n - delay] ?? 0) * (after[n] ?? 0);
    if (sum > most) [best, most] = [delay, sum];
  }
  return best;
}

export function removeDelay(sound: Float32Array, delay: number): Float32Array {
  const output = new Float32Array(sound.length);
  output.set(sound.subarray(delay));
  return output;
}

export function judgeOutput(clip: Clip, heard: Float32Array): OutputQuality {
  return { ...judgeLoudness(clip, heard), intelligibility: stoi(clip.sound, heard) };
}

export function judgeLoudness({ sound, speaks }: Clip, heard: Float32Array): Loudness {
  return {
    sdrDb: scaleInvariantSdrDb(sound, heard, speaks),
    pausesDb: measureLevel(heard, (at) => at > knownSteps && speaks[at] === false),
    voicedDb: measureLevel(heard, (at) => speaks[at] === true),
  };
}

/** Percent of speech steps attenuated by more than this. */
export function attenuatedShare({ sound, speaks }: Clip, heard: Float32Array, byDb = 6): number {
  const before = stepLevels(sound);
  const after = stepLevels(heard);
  const voiced = before.flatMap((level, at) =>
    speaks[at] === true ? [level - (after[at] ?? 0)] : [],
  );
  return (100 * voiced.filter((fall) => fall > byDb).length) / voiced.length;
}

/** Scale-invariant SDR (Le Roux, Wisdom, Erdogan and Hershey, 2019) over the speech steps. */
function scaleInvariantSdrDb(
  clean: Float32Array,
  heard: Float32Array,
  speaks: Clip['speaks'],
): number {
  let [both, own, all] = [0, 0, 0];
  for (let n = 0; n < clean.length; n += 1) {
    if (speaks[Math.floor(n / step)] !== true) continue;
    const one = clean[n] ?? 0;
    const other = heard[n] ?? 0;
    both += one * other;
    own += one * one;
    all += other * other;
  }
  const voice = (both * both) / own;
  return 10 * Math.log10((voice + 1e-12) / (Math.max(0, all - voice) + 1e-12));
}

/** Results of a level control for soft and loud speakers: dB, and shares in percent. */
export interface LevelStats {
  /** Output level for each of `loudnesses`. */
  readonly outputDb: readonly number[];
  readonly p10: number;
  readonly p90: number;
  readonly deviation: number;
  /** Gain changes between speech steps, after settling. */
  readonly pumping: number;
  readonly clipped: number;
}

/** Steps that a level control may take to settle. */
const settledSteps = (10 * inputRate) / step;
/** Distance in steps, within a word, over which the gain should not change. */
const apartSteps = 20;
const full = 0.999;

export class LevelJudge {
  readonly #levels: number[] = [];
  readonly #wanted: number[] = [];
  readonly #moves: number[] = [];
  #clipped = 0;
  #samples = 0;

  add({ sound, speaks, wantedDb }: LevelScene, after: Float32Array): void {
    const isMeant = (at: number): boolean => at >= settledSteps && speaks[at] === true;
    this.#levels.push(measureLevel(after, isMeant));
    this.#wanted.push(wantedDb);
    this.#samples += after.length;
    this.#clipped += after.reduce((sum, sample) => sum + (Math.abs(sample) >= full ? 1 : 0), 0);
    const [one, other] = [stepLevels(sound), stepLevels(after)];
    const gains = one.map((level, at) => (other[at] ?? 0) - level);
    for (let at = settledSteps; at + apartSteps < gains.length; at += 1)
      if (isMeant(at) && isMeant(at + apartSteps))
        this.#moves.push(((gains[at + apartSteps] ?? 0) - (gains[at] ?? 0)) ** 2);
  }

  get stats(): LevelStats {
    const sorted = this.#levels.toSorted((one, other) => one - other);
    const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? NaN;
    const mean = meanOf(sorted);
    return {
      outputDb: loudnesses.map((wanted) =>
        meanOf(this.#levels.filter((_, index) => this.#wanted[index] === wanted)),
      ),
      p10: at(0.1),
      p90: at(0.9),
      deviation: Math.sqrt(meanOf(sorted.map((level) => (level - mean) ** 2))),
      pumping: Math.sqrt(meanOf(this.#moves)),
      clipped: (100 * this.#clipped) / this.#samples,
    };
  }
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
