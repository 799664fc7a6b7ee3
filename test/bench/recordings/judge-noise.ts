import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { type Clip, measureLevel, step, stepLevels } from './recorded-scenes.ts';
import { stoi } from './stoi.ts';

export interface Loudness {
  /** Ratio of speech to everything else, in speech steps. */
  readonly sdrDb: number;
  readonly pausesDb: number;
  readonly voicedDb: number;
}

/** With intelligibility (STOI), which is undefined for short words. */
export interface Heard extends Loudness {
  readonly clearness: number | undefined;
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

export function ahead(sound: Float32Array, delay: number): Float32Array {
  const made = new Float32Array(sound.length);
  made.set(sound.subarray(delay));
  return made;
}

export function judgeHeard(clip: Clip, heard: Float32Array): Heard {
  return { ...judgeLoudness(clip, heard), clearness: stoi(clip.sound, heard) };
}

export function judgeLoudness({ sound, speaks }: Clip, heard: Float32Array): Loudness {
  return {
    sdrDb: distanceDb(sound, heard, speaks),
    pausesDb: measureLevel(heard, (at) => at > knownSteps && speaks[at] === false),
    voicedDb: measureLevel(heard, (at) => speaks[at] === true),
  };
}

/** Percent of speech steps attenuated by more than this. */
export function swallowed({ sound, speaks }: Clip, heard: Float32Array, byDb = 6): number {
  const before = stepLevels(sound);
  const after = stepLevels(heard);
  const voiced = before.flatMap((level, at) =>
    speaks[at] === true ? [level - (after[at] ?? 0)] : [],
  );
  return (100 * voiced.filter((fall) => fall > byDb).length) / voiced.length;
}

/** Scale-invariant SDR (Le Roux, Wisdom, Erdogan and Hershey, 2019) over the speech steps. */
function distanceDb(clean: Float32Array, heard: Float32Array, speaks: Clip['speaks']): number {
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
