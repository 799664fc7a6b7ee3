import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import { soundFromWav } from '../../electron/audio/dsp/sound-from-wav.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { seeded } from './seeded.ts';

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
  const sound = joinSamples(parts);
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

/** Six people who say the same lines, each starting at a different point. */
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

type Random = () => number;
/** Generates samples of a noise. The level is unspecified, so scale the result. */
type MakeNoise = (length: number, random: Random) => Float32Array;

const fullCircle = 2 * Math.PI;

const noiseMakers = {
  white: (length, random) => Float32Array.from({ length }, () => gaussian(random)),
  pink: (length, random) => {
    const [slow, middle, fast] = [leaky(0.998), leaky(0.963), leaky(0.57)];
    return Float32Array.from({ length }, () => {
      const sample = gaussian(random);
      return slow(sample * 0.099) + middle(sample * 0.297) + fast(sample * 1.053) + sample * 0.185;
    });
  },
  hum: (length, random) => {
    const tones = [1, 2, 3, 4, 5, 7, 9].map((times) => ({ times, from: fullCircle * random() }));
    return Float32Array.from({ length }, (_, n) => {
      const at = (fullCircle * 50 * n) / inputRate;
      const sum = tones.reduce(
        (all, { times, from }) => all + Math.sin(times * at + from) / times,
        0,
      );
      return sum + 0.03 * gaussian(random);
    });
  },
  fan: (length, random) => {
    const [deep, wide] = [leaky(0.92), leaky(0.7)];
    return Float32Array.from({ length }, (_, n) => {
      const sample = gaussian(random);
      const air = 0.24 * deep(sample) + 0.12 * wide(sample);
      const blades = 1 + 0.25 * Math.sin((fullCircle * 11 * n) / inputRate);
      return air * blades + 0.12 * Math.sin((fullCircle * 118 * n) / inputRate);
    });
  },
  keyboard: (length, random) =>
    events(length, random, [0.08, 0.25], (put) => {
      const [pitch, short, size] = [1500 + 3500 * random(), 20 + 60 * random(), 0.5 + random()];
      put(
        0,
        600,
        (n) => size * Math.exp(-n / short) * (0.7 * gaussian(random) + 0.5 * tone(pitch, n)),
      );
      put(1000, 300, (n) => 0.4 * size * Math.exp(-n / 30) * gaussian(random));
    }),
  cough: (length, random) =>
    events(length, random, [0.9, 1.2], (put) => {
      let from = 0;
      for (let remaining = 1 + 3 * random(); remaining >= 1; remaining -= 1) {
        const duration = Math.round((0.12 + 0.15 * random()) * inputRate);
        const throat = resonance(500 + 700 * random(), 0.97);
        put(from, duration, (n) => {
          const air = gaussian(random);
          return (
            Math.min(1, n / 160) * Math.exp((-4 * n) / duration) * (0.3 * throat(air) + 0.5 * air)
          );
        });
        from += duration + Math.round((0.05 + 0.1 * random()) * inputRate);
      }
    }),
  music: (length, random) =>
    events(length, random, [0.4, 0.5], (put) => {
      const chord = chords[Math.floor(random() * chords.length)] ?? [];
      put(0, inputRate, (n) => {
        const heard = Math.exp(-n / (0.45 * inputRate)) * Math.min(1, n / 100);
        return heard * chord.reduce((sum, pitch) => sum + string(pitch, n), 0);
      });
    }),
} as const satisfies Record<string, MakeNoise>;

const chords = [
  [220, 277, 330],
  [196, 247, 294],
  [175, 220, 262],
  [247, 294, 370],
];

export type NoiseKind = keyof typeof noiseMakers;

export const noiseKinds: readonly NoiseKind[] = [
  'white',
  'pink',
  'hum',
  'fan',
  'keyboard',
  'cough',
  'music',
];

/** Synthesises a noise; the same seed gives the same samples. The level is unspecified, so scale the result. */
export function createNoise(kind: NoiseKind, length: number, seed: number): Float32Array {
  return noiseMakers[kind](length, seeded(seed));
}

export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(fullCircle * random());
}

function tone(pitch: number, n: number): number {
  return Math.sin((fullCircle * pitch * n) / inputRate);
}

function string(pitch: number, n: number): number {
  let sum = 0;
  for (let part = 1; part <= 6; part += 1) sum += tone(pitch * part, n) / part ** 1.3;
  return sum;
}

/** A leaky integrator, which is a low-pass filter. */
function leaky(decay: number): (sample: number) => number {
  let sum = 0;
  return (sample) => (sum = decay * sum + sample);
}

function resonance(pitch: number, decay: number): (sample: number) => number {
  const feedback = 2 * decay * Math.cos((fullCircle * pitch) / inputRate);
  let [last, previous] = [0, 0];
  return (sample) => {
    [last, previous] = [sample + feedback * last - decay * decay * previous, last];
    return last;
  };
}

type Put = (from: number, length: number, sample: (n: number) => number) => void;

/** Adds events one after another to faint noise, `minGap` to `minGap + gapRange` seconds apart. */
function events(
  length: number,
  random: Random,
  [minGap, gapRange]: readonly [number, number],
  make: (put: Put) => void,
): Float32Array {
  const samples = Float32Array.from({ length }, () => 0.003 * gaussian(random));
  for (let at = 800; at < length; at += Math.round((minGap + gapRange * random()) * inputRate)) {
    make((from, duration, sample) => {
      for (let n = 0; n < duration && at + from + n < length; n += 1)
        samples[at + from + n] = (samples[at + from + n] ?? 0) + sample(n);
    });
  }
  return samples;
}
