import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { seeded } from './seeded.ts';

type Random = () => number;
/** Generates samples of a noise at an arbitrary level. */
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

/** Synthesises a noise at an arbitrary level; the same seed gives the same samples. */
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
