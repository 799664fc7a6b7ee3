import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { energyOf, levelDb } from '../../../electron/audio/dsp/loudness.ts';
import { emptyHalfSpectrum, RealFft } from '../../../electron/audio/dsp/real-fft.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../fakes/seeded.ts';
import { readSound } from '../recordings/read-recordings.ts';
import { convolved } from '../../fakes/echo-room.ts';
import { gaussian } from '../../fakes/spoken-scene.ts';

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
/** The upper limit of the unexplained echo that counts as the loudspeaker's distortion. Clock drift, people and movement cause more. */
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

function roomOf(name: string, played: Float32Array, microphone: Float32Array): Room {
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

const taps = 0.25 * inputRate;
const maxDelay = 0.6 * inputRate;
/** The path starts this many samples before its loudest tap. */
const before = 0.005 * inputRate;
/** Regularisation as a share of the power, so that the estimate does not fit noise. */
const regularisation = 0.01;
/** Lengths to fit the path on, in samples; the following half second evaluates it. */
const fitLengths = [inputRate, 4 * inputRate];
const evaluationSamples = inputRate / 2;
const pathSize = 131_072;
const fft = new RealFft(pathSize);

export interface EchoPath {
  readonly delay: number;
  /** Filter taps after the delay. */
  readonly taps: Float32Array;
  /** Attenuation in dB when the predicted echo is subtracted from the half second after the fit, both pre-emphasised. */
  readonly explainedDb: number;
}

/**
 * Estimates the echo path from loudspeaker to microphone: a delay, and taps by least squares. Device clocks drift and people
 * speak and move, so it fits parts of one and four seconds and keeps the path that explains the following sound best.
 */
function estimatePath(played: Float32Array, microphone: Float32Array): EchoPath {
  // Pre-emphasis weights high frequencies like low ones; the path is the same.
  const [far, near] = [sharpened(played), sharpened(microphone)];
  const lags = crossCorrelate(far, near, maxDelay).map(Math.abs);
  const delay = Math.max(0, lags.indexOf(Math.max(...lags)) - before);
  const length = Math.min(far.length, near.length - delay);
  let best: EchoPath = { delay, taps: new Float32Array(taps), explainedDb: -Infinity };
  for (const part of fitLengths) {
    for (let from = 0; from + part + evaluationSamples <= length; from += evaluationSamples) {
      const until = from + part;
      const heard = near.subarray(delay + from, delay + until);
      const path = solveLeastSquares(far.subarray(from, until), heard);
      const since = Math.max(0, until - taps);
      const expected = convolved(far.subarray(since, until + evaluationSamples), path);
      const next = near.subarray(delay + until, delay + until + evaluationSamples);
      const rest = next.map((sample, n) => sample - (expected[until - since + n] ?? 0));
      const explainedDb = 10 * Math.log10((energyOf(next) + 1e-9) / (energyOf(rest) + 1e-9));
      if (explainedDb > best.explainedDb) best = { delay, taps: path, explainedDb };
    }
  }
  return { ...best, taps: faded(best.taps) };
}

export function applyPath({ delay, taps: path }: EchoPath, played: Float32Array): Float32Array {
  const heard = new Float32Array(played.length);
  heard.set(convolved(played, path).subarray(0, Math.max(0, heard.length - delay)), delay);
  return heard;
}

const sharpened = (sound: Float32Array): Float32Array =>
  sound.map((sample, n) => sample - 0.95 * (sound[n - 1] ?? 0));

function crossCorrelate(one: Float32Array, other: Float32Array, lags: number): Float64Array {
  const [a, b] = [one, other].map((sound) => {
    const [work, spectrum] = [new Float32Array(pathSize), emptyHalfSpectrum(pathSize)];
    work.set(sound.subarray(0, pathSize - lags));
    fft.forward(work, spectrum);
    return spectrum;
  }) as [ReturnType<typeof emptyHalfSpectrum>, ReturnType<typeof emptyHalfSpectrum>];
  for (let bin = 0; bin <= pathSize / 2; bin += 1) {
    const [ar, ai, br, bi] = [a.re[bin] ?? 0, a.im[bin] ?? 0, b.re[bin] ?? 0, b.im[bin] ?? 0];
    a.re[bin] = ar * br + ai * bi;
    a.im[bin] = ar * bi - ai * br;
  }
  const work = new Float32Array(pathSize);
  fft.inverse(a, work);
  return Float64Array.from(work.subarray(0, lags));
}

/** Solves the least-squares problem by Levinson recursion. */
function solveLeastSquares(far: Float32Array, heard: Float32Array): Float32Array {
  const autocorrelation = crossCorrelate(far, far, taps);
  const crossCorrelation = crossCorrelate(far, heard, taps);
  const power = (autocorrelation[0] ?? 0) * (1 + regularisation) + 1e-9;
  const path = new Float64Array(taps);
  const predictor = new Float64Array(taps);
  predictor[0] = 1;
  path[0] = (crossCorrelation[0] ?? 0) / power;
  let error = power;
  for (let n = 1; n < taps; n += 1) {
    let [off, missing] = [0, crossCorrelation[n] ?? 0];
    for (let k = 0; k < n; k += 1) {
      off += (predictor[k] ?? 0) * (autocorrelation[n - k] ?? 0);
      missing -= (path[k] ?? 0) * (autocorrelation[n - k] ?? 0);
    }
    const reflection = -off / error;
    for (let k = 0; 2 * k <= n; k += 1) {
      const [low, high] = [predictor[k] ?? 0, predictor[n - k] ?? 0];
      predictor[k] = low + reflection * high;
      predictor[n - k] = high + reflection * low;
    }
    error *= 1 - reflection * reflection;
    for (let k = 0; k <= n; k += 1)
      path[k] = (path[k] ?? 0) + (missing / error) * (predictor[n - k] ?? 0);
  }
  return Float32Array.from(path);
}

function faded(path: Float32Array): Float32Array {
  const fading = path.length / 4;
  return path.map((tap, n) => tap * Math.min(1, (path.length - n) / fading));
}

const rooms = 40;
const pathSamples = 0.45 * inputRate;
/** Samples before the direct sound. */
const directAt = 80;

/** Rooms to train the barge-in detector in, so that the recorded rooms can be used to evaluate it. */
export function simulatedRooms(seed: number): readonly Room[] {
  const random = seeded(seed);
  for (let warm = 0; warm < 8; warm += 1) random();
  const between = (low: number, high: number): number => low + (high - low) * random();
  return Array.from({ length: rooms }, (_, at): Room => {
    const taps = new Float32Array(pathSamples);
    const reverbSamples = between(0.12, 0.9) * inputRate;
    taps[directAt] = between(0.4, 2.4);
    for (let n = directAt + 8; n < taps.length; n += 1)
      taps[n] = 0.1 * gaussian(random) * Math.exp((-6.9 * (n - directAt)) / reverbSamples);
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
