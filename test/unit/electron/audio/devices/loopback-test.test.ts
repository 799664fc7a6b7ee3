import { describe, expect, it } from 'vitest';
import type { AudioSink } from '../../../../../electron/audio/capture/microphone.ts';
import {
  createChirp,
  findChirp,
  LoopbackTest,
} from '../../../../../electron/audio/devices/loopback-test.ts';
import type { DeviceEvent } from '../../../../../electron/audio/devices/stream-supervisor.ts';
import { resample } from '../../../../../electron/audio/dsp/sinc-resampler.ts';
import { type AppError, appError } from '../../../../../shared/errors/app-error.ts';
import { inputRate, outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const blockMs = 20;

/** Simulates a room that returns playback after a delay at half the level, or not at all. */
async function listenIn({
  backAfterMs = 0,
  deaf = false,
  error = undefined as AppError | undefined,
}) {
  const clock = new FakeClock();
  let sink: AudioSink = { pushAudio: () => undefined };
  let ended = 0;
  let air: { readonly sound: Float32Array; readonly from: number } | undefined;
  const opened = { end: () => Promise.resolve(void (ended += 1)) };
  const devices = {
    openMicrophone: (_choice: unknown, listener: AudioSink) => {
      sink = listener;
      return Promise.resolve(opened);
    },
    openSpeaker: (_choice: unknown, emit: (event: DeviceEvent) => void) => {
      if (error !== undefined) emit({ kind: 'lost', error });
      const write = (sound: Float32Array): void => {
        air = { sound: resample(sound, outputRate, inputRate), from: clock.now() + backAfterMs };
      };
      return Promise.resolve({ ...opened, write, setVolume: () => undefined });
    },
  };
  const result = new LoopbackTest(devices, clock).run();
  for (let ms = 0; ms < 5000; ms += blockMs) {
    // Lets promises between the timers run.
    await Promise.resolve();
    await Promise.resolve();
    clock.advance(blockMs);
    const block = new Float32Array((inputRate * blockMs) / 1000);
    const at = ((clock.now() - blockMs - (air?.from ?? 0)) * inputRate) / 1000;
    const hum = (n: number): number => (n % 2 === 0 ? 0.001 : -0.001);
    if (!deaf) block.forEach((_, n) => (block[n] = 0.5 * (air?.sound[at + n] ?? 0) + hum(n)));
    sink.pushAudio(block);
  }
  return { result: await result, ended };
}

it('the loopback test reports the delay and level of the chirp, and the noise before it', async () => {
  const { result, ended } = await listenIn({ backAfterMs: 140 });
  expect(result).toEqual({ heard: true, latencyMs: 140, levelDb: -6, noiseDb: -60 });
  expect(ended).toBe(2);
});

it('the loopback test reports that no chirp came back', async () => {
  const { result } = await listenIn({ deaf: true });
  expect(result).toMatchObject({ heard: false });
});

it('the loopback test reports why a device cannot be opened', async () => {
  const error = appError('deviceTaken', { device: 'Box' });
  const { result, ended } = await listenIn({ error });
  expect({ result, ended }).toEqual({ result: { heard: false, error }, ended: 2 });
});

const seconds = 3;

/** Noise with this RMS, white, or low-passed if `dull`. */
function noise(random: () => number, rms: number, dull = false): Float32Array {
  const samples = new Float32Array(seconds * inputRate);
  let last = 0;
  for (let n = 0; n < samples.length; n += 1) {
    const white = (random() * 2 - 1) * Math.sqrt(3);
    last = dull ? 0.95 * last + Math.sqrt(1 - 0.95 ** 2) * white : white;
    samples[n] = rms * last;
  }
  return samples;
}

/** Noise in the chirp’s band, like voices. */
function murmur(random: () => number): Float32Array {
  const samples = noise(random, 0.1);
  const [ring, turn] = [0.97, (2 * Math.PI * 1500) / inputRate];
  for (let n = 2; n < samples.length; n += 1) {
    const rung =
      2 * ring * Math.cos(turn) * (samples[n - 1] ?? 0) - ring ** 2 * (samples[n - 2] ?? 0);
    samples[n] = (samples[n] ?? 0) + rung;
  }
  return samples;
}

/** Adds the chirp to a recording with a delay and a gain. */
function add(to: Float32Array, delayMs: number, gain: number): void {
  // A finer grid gives delays between samples.
  const fine = createChirp(inputRate * 16);
  const from = Math.round((delayMs / 1000) * inputRate * 16);
  for (let n = Math.ceil(from / 16); n * 16 - from < fine.length; n += 1) {
    to[n] = (to[n] ?? 0) + gain * (fine[n * 16 - from] ?? 0);
  }
}

const cases = Array.from({ length: randomRuns(25) }, (_, seed) => ({ seed: seed + 1 }));

describe('findChirp', () => {
  it.each(cases)('measures delay and level in noise, seed $seed', ({ seed }) => {
    const random = seeded(seed);
    const levelDb = -36 * random();
    const gain = (random() < 0.5 ? -1 : 1) * 10 ** (levelDb / 20);
    const delayMs = random() * 2400;
    // The chirp’s RMS is about 0.11; the noise reaches up to half of the returned chirp.
    const heard = noise(random, 0.054 * Math.abs(gain) * random(), random() < 0.5);
    add(heard, delayMs, gain);
    const found = findChirp(heard, inputRate);
    expect(Math.abs(((found?.sample ?? NaN) / inputRate) * 1000 - delayMs)).toBeLessThan(1);
    expect(Math.abs((found?.levelDb ?? NaN) - levelDb)).toBeLessThan(0.5);
  });

  it.each(cases)('finds the position in noise louder than the chirp, seed $seed', (one) => {
    const random = seeded(one.seed + 1000);
    const heard = noise(random, 0.22);
    const delayMs = random() * 2400;
    add(heard, delayMs, 1);
    const found = findChirp(heard, inputRate);
    expect(Math.abs(((found?.sample ?? NaN) / inputRate) * 1000 - delayMs)).toBeLessThan(1);
  });

  it.each(cases)('finds nothing in noise alone, seed $seed', ({ seed }) => {
    const random = seeded(seed + 2000);
    expect(findChirp(noise(random, 10 ** (-4 * random()), seed % 2 === 0), inputRate)).toBe(
      undefined,
    );
    expect(findChirp(murmur(random), inputRate)).toBe(undefined);
  });

  it('finds nothing in silence, a click, a hum, a word or invalid samples', () => {
    const silence = new Float32Array(seconds * inputRate);
    const click = silence.slice();
    click.fill(0.9, 20_000, 20_003);
    const hum = silence.map((_, n) => 0.3 * Math.sin((2 * Math.PI * 1000 * n) / inputRate));
    const word = hum.map((sample, n) => (n > 16_000 && n < 24_000 ? sample : 0));
    const broken = silence.map((_, n) => (n % 3 === 0 ? Number.NaN : Infinity));
    const sounds = { silence, click, hum, word, broken, short: silence.subarray(0, 100) };
    for (const [name, sound] of Object.entries(sounds)) {
      expect({ name, found: findChirp(sound, inputRate) }).toEqual({ name, found: undefined });
    }
  });

  it('creates the same sound at both rates', () => {
    const carried = resample(createChirp(outputRate), outputRate, inputRate);
    const heard = new Float32Array(seconds * inputRate);
    heard.set(carried, 8000);
    const found = findChirp(heard, inputRate);
    expect(found?.sample).toBeCloseTo(8000, 1);
    expect(found?.levelDb).toBeCloseTo(0, 1);
  });
});
