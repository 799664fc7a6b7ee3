import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { energyOf, levelDb } from '../../../electron/audio/dsp/loudness.ts';
import { emptyHalfSpectrum, RealFft } from '../../../electron/audio/dsp/real-fft.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../fakes/seeded.ts';
import { readSound } from '../recordings/read-sound.ts';
import { type EchoPath, estimatePath } from './path-estimate.ts';

/** A model of a device in a room, estimated from a recording. */
export interface Room {
  readonly name: string;
  readonly path: EchoPath;
  /** Drive of the loudspeaker's distortion for sound at `playedRms`. */
  readonly drive: number;
  readonly playedRms: number;
  /** Room noise without echo. */
  readonly noise: Float32Array;
}

/** A path must explain more than half of the echo. */
export const minExplainedDb = 3;
/** Maximum distortion of a loudspeaker; clocks, people and movement cause the rest that the path does not explain. */
const maxDistortionDb = -12;
const noiseSeconds = 8;
const size = 512;

/** Reads `NAME_mic.flac` (microphone) and `NAME_lpb.flac` (loopback), or `.wav`. */
export function readRooms(folder: string): readonly Room[] {
  return readdirSync(folder)
    .filter((file) => /_mic\.(?:flac|wav)$/u.test(file))
    .toSorted((one, other) => one.localeCompare(other))
    .map((file) => {
      const played = readSound(join(folder, file.replace(/_mic(?=\.\w+$)/u, '_lpb')));
      return roomOf(file.replace(/_mic\.\w+$/u, ''), played, readSound(join(folder, file)));
    });
}

export function roomOf(name: string, played: Float32Array, microphone: Float32Array): Room {
  const path = estimatePath(played, microphone);
  const playedRms = activeRms(played);
  const drive = findDrive(played, playedRms, Math.min(-path.explainedDb, maxDistortionDb));
  return { name, path, drive, playedRms, noise: roomNoise(microphone) };
}

/** Applies the loudspeaker's distortion to a sound as loud as the recording. */
export function overdrive(
  sound: Float32Array,
  { drive, playedRms }: Pick<Room, 'drive' | 'playedRms'>,
) {
  const scale = drive / playedRms;
  return sound.map((sample) => Math.tanh(scale * sample) / scale);
}

export function activeRms(sound: Float32Array): number {
  const steps = Math.floor(sound.length / 320);
  const powers = Array.from({ length: steps }, (_, at) =>
    energyOf(sound, at * 320, at * 320 + 320),
  );
  const loudest = Math.max(...powers, 1e-12);
  const active = powers.filter((power) => power > loudest / 100);
  return Math.sqrt(active.reduce((sum, power) => sum + power, 1e-12) / (320 * active.length));
}

/** Finds the drive for a distortion level by bisection. */
function findDrive(sound: Float32Array, playedRms: number, wantedDb: number): number {
  let [low, high] = [0.01, 4];
  for (let turn = 0; turn < 12; turn += 1) {
    const middle = Math.sqrt(low * high);
    const made = overdrive(sound, { drive: middle, playedRms });
    const alike = sound.reduce((sum, sample, n) => sum + sample * (made[n] ?? 0), 0);
    const share = 1 - alike ** 2 / (energyOf(sound) * energyOf(made) + 1e-12);
    if (10 * Math.log10(Math.max(share, 1e-9)) < wantedDb) low = middle;
    else high = middle;
  }
  return low;
}

/** Synthesises room noise from the spectrum of the quietest tenth. */
function roomNoise(microphone: Float32Array): Float32Array {
  const frames = Array.from({ length: Math.floor(microphone.length / size) }, (_, at) =>
    microphone.subarray(at * size, (at + 1) * size),
  ).toSorted((one, other) => levelDb(one) - levelDb(other));
  const fft = new RealFft(size);
  const spectrum = emptyHalfSpectrum(size);
  const power = new Float32Array(size / 2 + 1);
  const quiet = frames.slice(0, Math.ceil(frames.length / 10));
  for (const frame of quiet) {
    fft.forward(frame, spectrum);
    for (let bin = 0; bin < power.length; bin += 1)
      power[bin] =
        (power[bin] ?? 0) +
        ((spectrum.re[bin] ?? 0) ** 2 + (spectrum.im[bin] ?? 0) ** 2) / quiet.length;
  }
  const random = seeded(5);
  const noise = new Float32Array(noiseSeconds * inputRate);
  const work = new Float32Array(size);
  for (let from = 0; from + size <= noise.length; from += size / 2) {
    for (let bin = 0; bin < power.length; bin += 1) {
      const phase = 2 * Math.PI * random();
      spectrum.re[bin] = Math.sqrt(power[bin] ?? 0) * Math.cos(phase);
      spectrum.im[bin] = Math.sqrt(power[bin] ?? 0) * Math.sin(phase);
    }
    fft.inverse(spectrum, work);
    for (let n = 0; n < size; n += 1)
      noise[from + n] =
        (noise[from + n] ?? 0) + (work[n] ?? 0) * Math.sin((Math.PI * (n + 0.5)) / size);
  }
  return noise;
}
