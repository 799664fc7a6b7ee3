import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import { soundFromWav } from '../../electron/audio/dsp/sound-from-wav.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { type NoiseKind, createNoise } from './noises.ts';

export const stepSamples = inputRate / 100;
/** The level of a person at an ordinary microphone. */
const ordinaryDb = -26;

/** Sentences with pauses, and for each 10 ms whether somebody speaks. */
export interface SpokenScene {
  readonly sound: Float32Array;
  readonly speaks: readonly boolean[];
}

interface Line {
  readonly file: string;
  /** Above 1 the voice is higher and faster. */
  readonly pitch?: number;
}

const speech = (name: string, pitch = 1): Line => ({ file: `resources/speech/${name}.wav`, pitch });
const voice = (name: string, pitch = 1): Line => ({
  file: `test/fixtures/voices/${name}.wav`,
  pitch,
});

/** The detector was not trained on these voices. */
const lines: readonly Line[] = [
  voice('chinese-high'),
  speech('again'),
  voice('chinese-low'),
  speech('see', 0.85),
  voice('english'),
  speech('only', 1.15),
  voice('chinese-high', 0.9),
  speech('sorry'),
];

/** Some of the lines, starting with line `first`, at a level in dBFS and with pauses between them. */
export function spokenScene({
  db = ordinaryDb,
  pauseMs = 900,
  first = 0,
  count = lines.length,
} = {}): SpokenScene {
  const parts: Float32Array[] = [];
  for (let at = first; at < first + count; at += 1) {
    const line = lines[at % lines.length];
    if (line === undefined) continue;
    parts.push(new Float32Array((pauseMs * inputRate) / 1000), atLevel(readLine(line), db));
  }
  const sound = joined(parts);
  return { sound, speaks: findSpeechSteps(sound) };
}

/** A noise as long as the scene; babble is made of the scene's own voices. */
export function noiseFor({ sound }: SpokenScene, kind: NoiseKind | 'babble'): Float32Array {
  return kind === 'babble' ? babble(sound) : createNoise(kind, sound.length, 1);
}

/** The scene with noise at a signal-to-noise ratio in dB. */
export function withNoise(
  { sound, speaks }: SpokenScene,
  noise: Float32Array,
  snrDb: number,
): Float32Array {
  const gain = 10 ** ((speechLevelDb(sound, speaks) - snrDb - powerDb(noise)) / 20);
  return sound.map((sample, n) => sample + gain * (noise[n] ?? 0));
}

export function scaledToDb(sound: Float32Array, db: number): Float32Array {
  const gain = 10 ** ((db - powerDb(sound)) / 20);
  return sound.map((sample) => sample * gain);
}

export function powerDb(samples: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < samples.length; n += 1) sum += (samples[n] ?? 0) ** 2;
  return 10 * Math.log10(sum / samples.length + 1e-12);
}

export function speechLevelDb(sound: Float32Array, speaks: readonly boolean[]): number {
  return powerDb(selectSteps(sound, speaks, true));
}

export function selectSteps(
  sound: Float32Array,
  speaks: readonly boolean[],
  spoken: boolean,
): Float32Array {
  return sound.filter((_, n) => (speaks[Math.floor(n / stepSamples)] ?? false) === spoken);
}

/** The area under the ROC curve: how often a step with a voice ranks above one without. 1 is perfect. */
export function areaUnderRoc(likelihoods: readonly number[], speaks: readonly boolean[]): number {
  const ranked = likelihoods
    .map((likelihood, step) => ({ likelihood, speaks: speaks[step] ?? false }))
    .toSorted((one, other) => one.likelihood - other.likelihood);
  let [unvoiced, correctPairs, voiced] = [0, 0, 0];
  for (const step of ranked) {
    if (step.speaks) {
      correctPairs += unvoiced;
      voiced += 1;
    } else unvoiced += 1;
  }
  return correctPairs / (voiced * unvoiced);
}

/** Six people who say the same lines, each from another point on. */
function babble(sound: Float32Array): Float32Array {
  const shifts = [0.11, 0.27, 0.41, 0.58, 0.73, 0.89].map((part) =>
    Math.round(part * sound.length),
  );
  return sound.map((_, n) =>
    shifts.reduce((sum, shift) => sum + (sound[(n + shift) % sound.length] ?? 0), 0),
  );
}

function readLine({ file, pitch = 1 }: Line): Float32Array {
  const bytes = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)));
  const sound = soundFromWav(bytes, inputRate, 60);
  if (!sound.ok) throw new Error(`${file} is not a sound file`);
  return resample(sound.value, Math.round(inputRate * pitch), inputRate);
}

function atLevel(sound: Float32Array, db: number): Float32Array {
  const gain = 10 ** ((db - speechLevelDb(sound, findSpeechSteps(sound))) / 20);
  return sound.map((sample) => sample * gain);
}

/** Steps within 30 dB of the loud ones, with gaps of up to 60 ms filled. */
function findSpeechSteps(sound: Float32Array): boolean[] {
  const levels = Array.from({ length: Math.floor(sound.length / stepSamples) }, (_, step) =>
    powerDb(sound.subarray(step * stepSamples, (step + 1) * stepSamples)),
  );
  const loud = levels.toSorted((one, other) => other - one)[Math.floor(levels.length / 10)] ?? 0;
  const spoken = levels.map((level) => level > loud - 30);
  let last = -Infinity;
  for (const [step, speaks] of spoken.entries()) {
    if (!speaks) continue;
    if (step - last <= 7) spoken.fill(true, last, step);
    last = step;
  }
  return spoken;
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
