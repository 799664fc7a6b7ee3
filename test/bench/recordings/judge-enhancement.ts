import { join } from 'node:path';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import {
  measureLevel,
  step,
  stepLevels,
  noiseClasses,
  withNoise,
  readSound,
  type Clip,
  type NoiseClass,
  type Recordings,
} from './read-recordings.ts';
import { CaptureEnhancement } from '../../../electron/audio/enhance/capture-enhancement.ts';
import type { EnhancementStrength } from '../../../shared/settings/audio-settings.ts';
import { seeded } from '../../fakes/seeded.ts';
import { emptyHalfSpectrum, RealFft } from '../../../electron/audio/dsp/real-fft.ts';
import { resample } from '../../../electron/audio/dsp/sinc-resampler.ts';

export interface Loudness {
  readonly pausesDb: number;
  readonly voicedDb: number;
}

/** Loudness, and intelligibility (STOI), which is undefined for short words. */
export interface OutputQuality extends Loudness {
  readonly intelligibility: number | undefined;
}

/** After this many steps, a noise reducer should know the noise. */
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

export function judgeLoudness({ speaks }: Clip, heard: Float32Array): Loudness {
  return {
    pausesDb: measureLevel(heard, (at) => at > knownSteps && speaks[at] === false),
    voicedDb: measureLevel(heard, (at) => speaks[at] === true),
  };
}

/** Percent of the steps with speech whose level fell by more than `byDb`. */
export function attenuatedShare({ sound, speaks }: Clip, heard: Float32Array, byDb = 6): number {
  const before = stepLevels(sound);
  const after = stepLevels(heard);
  const voiced = before.flatMap((level, at) =>
    speaks[at] === true ? [level - (after[at] ?? 0)] : [],
  );
  return (100 * voiced.filter((fall) => fall > byDb).length) / voiced.length;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The input for each candidate; `name` is its file name. */
export interface NoiseScene {
  readonly name: string;
  readonly clip: Clip;
  readonly kind: NoiseClass | 'clean';
  readonly snrDb: number;
  readonly sound: Float32Array;
}

export const snrs = [20, 10, 5, 0] as const;
/** A prompt voice's recordings include beeps, which are not speech. */
const noVoice = /beep/u;

/** Each voice alone, and with noise of each class at each level. */
export function* noiseScenes({ clips: all, noises }: Recordings): Generator<NoiseScene> {
  const clips = all.filter(({ name }) => !noVoice.test(name));
  for (const clip of clips)
    yield { name: `clean-${clip.name}`, clip, kind: 'clean', snrDb: Infinity, sound: clip.sound };
  for (const kind of noiseClasses) {
    for (const snrDb of snrs) {
      for (const clip of clips) {
        const random = seeded(seedFromName(`${kind}-${snrDb}-${clip.name}`));
        const noise = noises[kind][Math.floor(random() * noises[kind].length)];
        if (noise === undefined)
          throw new Error(`The recordings have no noise of the kind ${kind}.`);
        const mixed = withNoise(clip, noise, Math.floor(random() * noise.length), snrDb);
        const sound = mixed.map((sample) => Math.max(-1, Math.min(1, sample)));
        yield { name: `${kind}-${snrDb}-${clip.name}`, clip, kind, snrDb, sound };
      }
    }
  }
}

/** A seed from the name, so that a scene does not depend on the others. */
function seedFromName(name: string): number {
  let number = 0;
  for (let n = 0; n < name.length; n += 1)
    number = (Math.imul(number, 31) + name.charCodeAt(n)) >>> 0;
  return number;
}

/** A noise reducer to judge. */
export interface Candidate {
  readonly name: string;
  readonly apply: (scene: string, sound: Float32Array) => Float32Array;
}

/** The product's strengths, in the order of judging. */
const strengths = ['gentle', 'strong'] as const;

export function noiseCandidates(others: readonly string[]): readonly Candidate[] {
  return [nothing, ...strengths.map(own), ...others.map(fromFolder)];
}

const nothing: Candidate = { name: 'nothing', apply: (_, sound) => sound };

function own(noise: EnhancementStrength): Candidate {
  return {
    name: `Parley ${noise}`,
    apply: (_, sound) => {
      const enhancement = new CaptureEnhancement(() => ({ noise, level: 'off' }));
      const output = sound.slice();
      for (let at = 0; at < output.length; at += step)
        enhancement.process(output.subarray(at, at + step));
      return output;
    },
  };
}

/** NAME=FOLDER: another processor's outputs for scenes written earlier. */
function fromFolder(other: string): Candidate {
  const [name = '', folder] = other.split('=');
  if (folder === undefined) throw new Error(`Say ${other}=FOLDER, with its sounds in it.`);
  return {
    name,
    apply: (scene, sound) => {
      const read = readSound(join(folder, `${scene}.wav`));
      const output = new Float32Array(sound.length);
      output.set(read.subarray(0, sound.length));
      return output;
    },
  };
}

/** STOI is defined at this sample rate. */
const rate = 10_000;
const frame = 256;
const hop = frame / 2;
const size = 512;
const bands = 15;
const lowestHz = 150;
/** Frames this far below the loudest clean frame are removed from both sounds. */
const rangeDb = 40;
/** Frames per segment: 384 ms. */
const segment = 30;
/** The clipping bound for a signal-to-distortion ratio of −15 dB. */
const maxRatio = 1 + 10 ** (15 / 20);
const tiny = 1e-12;

const hannWindow = Float64Array.from({ length: frame }, (_, n) =>
  Math.sin((Math.PI * (n + 1)) / (frame + 1)),
).map((value) => value ** 2);

/**
 * Speech intelligibility from 0 to 1: the short-time objective intelligibility of C. H. Taal, R. C. Hendriks, R. Heusdens
 * and J. Jensen (IEEE Transactions on Audio, Speech and Language Processing 19, 2011). Undefined for less than 384 ms of
 * speech.
 */
function stoi(clean: Float32Array, heard: Float32Array): number | undefined {
  const [one, two] = spokenFrames(
    resample(clean, inputRate, rate),
    resample(heard, inputRate, rate),
  ).map(thirdOctaves);
  if (one === undefined || two === undefined || one.length < segment) return undefined;
  let sum = 0;
  const count = one.length - segment + 1;
  const wanted = new Float64Array(segment);
  const other = new Float64Array(segment);
  for (let start = 0; start < count; start += 1) {
    for (let band = 0; band < bands; band += 1) {
      for (let n = 0; n < segment; n += 1) {
        wanted[n] = one[start + n]?.[band] ?? 0;
        other[n] = two[start + n]?.[band] ?? 0;
      }
      sum += correlation(wanted, other);
    }
  }
  return sum / (count * bands);
}

/** Correlation of two envelopes, after normalising and clipping the second in place. */
function correlation(clean: Float64Array, heard: Float64Array): number {
  const scale = norm(clean) / (norm(heard) + tiny);
  for (let n = 0; n < segment; n += 1)
    heard[n] = Math.min(scale * (heard[n] ?? 0), maxRatio * (clean[n] ?? 0));
  subtractMean(clean);
  subtractMean(heard);
  let both = 0;
  for (let n = 0; n < segment; n += 1) both += (clean[n] ?? 0) * (heard[n] ?? 0);
  return both / (norm(clean) * norm(heard) + tiny);
}

function norm(values: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < values.length; n += 1) sum += (values[n] ?? 0) ** 2;
  return Math.sqrt(sum);
}

function subtractMean(values: Float64Array): void {
  let sum = 0;
  for (let n = 0; n < values.length; n += 1) sum += values[n] ?? 0;
  const mean = sum / values.length;
  for (let n = 0; n < values.length; n += 1) values[n] = (values[n] ?? 0) - mean;
}

/** Removes frames in which the clean sound is silent from both sounds, with overlap-add. */
function spokenFrames(
  clean: Float32Array,
  heard: Float32Array,
): readonly [Float64Array, Float64Array] {
  const length = Math.min(clean.length, heard.length);
  const starts = Array.from(
    { length: Math.max(0, Math.ceil((length - frame) / hop)) },
    (_, at) => at * hop,
  );
  const levels = starts.map((start) => 20 * Math.log10(norm(windowed(clean, start)) + tiny));
  const loudest = levels.reduce((one, other) => Math.max(one, other), -Infinity);
  const kept = starts.filter((_, at) => (levels[at] ?? 0) > loudest - rangeDb);
  return [joined(clean, kept), joined(heard, kept)];
}

function windowed(sound: Float32Array | Float64Array, start: number): Float64Array {
  return hannWindow.map((value, n) => value * (sound[start + n] ?? 0));
}

function joined(sound: Float32Array, starts: readonly number[]): Float64Array {
  const all = new Float64Array(starts.length === 0 ? 0 : (starts.length - 1) * hop + frame);
  for (const [at, start] of starts.entries())
    for (const [n, value] of windowed(sound, start).entries())
      all[at * hop + n] = (all[at * hop + n] ?? 0) + value;
  return all;
}

/** One-third octave band amplitudes per frame. */
function thirdOctaves(sound: Float64Array): readonly Float64Array[] {
  const fft = new RealFft(size);
  const spectrum = emptyHalfSpectrum(size);
  const work = new Float32Array(size);
  const bin = (hertz: number): number => Math.round((hertz * size) / rate);
  const edges = Array.from({ length: bands }, (_, band) => [
    bin(lowestHz * 2 ** ((2 * band - 1) / 6)),
    bin(lowestHz * 2 ** ((2 * band + 1) / 6)),
  ]);
  const count = Math.max(0, Math.ceil((sound.length - frame) / hop));
  return Array.from({ length: count }, (_, at) => {
    work.set(windowed(sound, at * hop));
    fft.forward(work, spectrum);
    return Float64Array.from(edges, ([from = 0, to = 0]) => {
      let power = 0;
      for (let n = from; n < to; n += 1)
        power += (spectrum.re[n] ?? 0) ** 2 + (spectrum.im[n] ?? 0) ** 2;
      return Math.sqrt(power);
    });
  });
}
