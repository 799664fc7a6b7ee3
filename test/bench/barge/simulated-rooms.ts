import { levelDb } from '../../../electron/audio/dsp/loudness.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { gaussian } from '../../fakes/noises.ts';
import { seeded } from '../../fakes/seeded.ts';
import type { Room } from './rooms.ts';

const rooms = 40;
const pathSamples = 0.45 * inputRate;
/** Samples before the direct sound. */
const before = 80;
const noiseSeconds = 8;

/** Rooms to learn in, so that the recorded ones stay for the evaluation. */
export function simulatedRooms(seed: number): readonly Room[] {
  const random = seeded(seed);
  for (let warm = 0; warm < 8; warm += 1) random();
  const between = (low: number, high: number): number => low + (high - low) * random();
  return Array.from({ length: rooms }, (_, at): Room => {
    const taps = new Float32Array(pathSamples);
    const reverbSamples = between(0.12, 0.9) * inputRate;
    taps[before] = between(0.4, 2.4);
    for (let n = before + 8; n < taps.length; n += 1)
      taps[n] = 0.1 * gaussian(random) * Math.exp((-6.9 * (n - before)) / reverbSamples);
    const heard = highPass(lowPass(taps, between(0.2, 0.7)), between(0.6, 0.99));
    const noise = new Float32Array(noiseSeconds * inputRate).map(() => gaussian(random));
    return {
      name: `simulated ${at}`,
      path: {
        delay: Math.round((inputRate / 1000) * between(15, 160)),
        taps: heard,
        explainedDb: Infinity,
      },
      drive: between(0.1, 2),
      playedRms: 0.1,
      noise: atLevel(lowPass(noise, between(0, 0.95)), between(-68, -46)),
    };
  });
}

function lowPass(sound: Float32Array, share: number): Float32Array {
  let last = 0;
  return sound.map((sample) => (last = (1 - share) * sample + share * last));
}

function highPass(sound: Float32Array, share: number): Float32Array {
  let [input, output] = [0, 0];
  return sound.map((sample) => {
    output = share * (output + sample - input);
    input = sample;
    return output;
  });
}

function atLevel(sound: Float32Array, db: number): Float32Array {
  const gain = 10 ** ((db - levelDb(sound)) / 20);
  return sound.map((sample) => gain * sample);
}
