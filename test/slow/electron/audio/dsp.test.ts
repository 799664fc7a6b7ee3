import { describe, expect, it } from 'vitest';
import { joinSamples } from '../../../../electron/audio/dsp/samples.ts';
import {
  resample,
  resampleSource,
  SincResampler,
} from '../../../../electron/audio/dsp/sinc-resampler.ts';
import { toMono } from '../../../../electron/audio/dsp/sound-from-wav.ts';
import { randomRuns, seeded } from '../../../fakes/seeded.ts';
import { TimeScale } from '../../../../electron/audio/dsp/time-stretch.ts';

const sine = (hertz: number, rate: number, length: number) =>
  Float32Array.from({ length }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hertz * n) / rate));

/** Samples as bytes, which are compared faster. */
function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Converts a sound in random blocks of up to `maxBlock` samples. */
function convert(sound: Float32Array, from: number, to: number, maxBlock: number, seed = 1) {
  const random = seeded(seed);
  const resampler = new SincResampler(from, to);
  const parts: Float32Array[] = [];
  for (let at = 0; at < sound.length;) {
    const end = at + Math.floor(random() * (maxBlock + 1));
    parts.push(resampler.convert(sound.subarray(at, end)));
    at = end;
  }
  return joinSamples(parts);
}

function signalToNoiseDb(got: Float32Array, expected: Float32Array, skip: number): number {
  let signal = 0;
  let noise = 0;
  for (let n = skip; n < got.length - skip; n += 1) {
    signal += (expected[n] ?? 0) ** 2;
    noise += ((got[n] ?? 0) - (expected[n] ?? 0)) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

function levelDb(sound: Float32Array): number {
  const middle = sound.subarray(sound.length / 10, (sound.length * 9) / 10);
  const square = middle.reduce((sum, x) => sum + x * x, 0) / middle.length;
  return 10 * Math.log10(square / 0.125);
}

describe('SincResampler', () => {
  it.each([
    [8000, 16_000],
    [22_050, 16_000],
    [44_100, 16_000],
    [44_101, 16_000],
    [48_000, 16_000],
    [16_000, 24_000],
    [24_000, 48_000],
    [24_000, 44_100],
  ])('keeps a tone clean and in time from %i to %i Hz', (from, to) => {
    for (const seed of [1, 2, 3]) {
      const got = convert(sine(1000, from, from), from, to, 1500, seed);
      expect(signalToNoiseDb(got, sine(1000, to, to), to / 50)).toBeGreaterThan(100);
    }
  });

  it('gives the same result in blocks as `resample` gives in one piece, bit for bit', () => {
    const random = seeded(5);
    const noise = Float32Array.from({ length: 40_000 }, () => random() * 2 - 1);
    noise[0] = 0;
    for (const [from, to] of [
      [44_100, 16_000],
      [24_000, 48_000],
      [16_000, 11_025],
    ] as const) {
      const whole = resample(noise, from, to);
      for (const maxBlock of [97, 640, 3000, 40_000]) {
        const got = convert(noise, from, to, maxBlock, maxBlock);
        expect(Buffer.compare(toBytes(got), toBytes(whole.subarray(0, got.length)))).toBe(0);
      }
    }
  });

  it('delays live sound by at most 3 ms', () => {
    for (const [from, to] of [
      [44_100, 16_000],
      [48_000, 16_000],
      [24_000, 44_100],
      [24_000, 48_000],
    ] as const) {
      const got = new SincResampler(from, to).convert(new Float32Array(from));
      expect(to - got.length).toBeGreaterThan(0);
      expect(to - got.length).toBeLessThan(to * 0.003);
    }
  });

  it.each([
    [44_100, 16_000],
    [24_000, 48_000],
  ])('keeps the level of a tone in the lower 85 % of the band, %i to %i Hz', (from, to) => {
    const highest = 0.85 * (Math.min(from, to) / 2);
    for (const hertz of [50, highest / 2, highest]) {
      const level = levelDb(convert(sine(hertz, from, from), from, to, 900));
      expect(Math.abs(level)).toBeLessThan(0.05);
    }
  });

  it('lets no frequencies above the new Nyquist rate alias', () => {
    for (const hertz of [8001, 8200, 9500, 15_900, 21_000]) {
      expect(levelDb(convert(sine(hertz, 44_100, 44_100), 44_100, 16_000, 900))).toBeLessThan(-90);
    }
  });
});

describe('resample', () => {
  it.each([
    [192_000, 1000],
    [1000, 192_000],
    [11_025, 16_000],
  ])('keeps the duration from %i to %i Hz', (from, to) => {
    expect(resample(new Float32Array(from * 2), from, to).length).toBe(to * 2);
  });

  it('keeps the duration and the value of a constant at any two rates', () => {
    const random = seeded(1);
    for (let round = 0; round < randomRuns(60); round += 1) {
      const from = 4000 + Math.floor(random() * 60_000);
      const to = 4000 + Math.floor(random() * 60_000);
      const length = Math.floor(random() * 400);
      const level = random() * 2 - 1;
      const got = resample(new Float32Array(length).fill(level), from, to);
      expect(got.length).toBe(Math.ceil((length * to) / from));
      expect(got.every((sample) => Math.abs(sample - level) < 1e-5)).toBe(true);
    }
  });
});

describe('resampleSource', () => {
  it.each([
    [48_000, 16_000],
    [44_100, 16_000],
    [16_000, 24_000],
    [16_000, 16_000],
  ])('reads its source in ranges of less than a second, from %i to %i Hz', (from, to) => {
    const random = seeded(2);
    const samples = Float32Array.from({ length: from * 3 }, () => random() - 0.5);
    const lengths: number[] = [];
    const part = (start: number, end: number) => {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(samples.length);
      lengths.push(end - start);
      return samples.slice(start, end);
    };
    const got = resampleSource({ length: samples.length, part }, from, to);
    expect(got).toEqual(resample(samples, from, to));
    expect(Math.max(...lengths)).toBeLessThan(from);
    expect(lengths.every((length) => length > 0)).toBe(true);
  });
});

describe('toMono', () => {
  it('averages the channels', () => {
    expect(toMono(new Float32Array([1, 0, 0.5, -0.5]), 2)).toEqual(new Float32Array([0.5, 0]));
  });
});

const rate = 24_000;

/** Plays a source at another speed, for some seconds. */
function scaled(source: (n: number) => number, speed: number, seconds: number): Float32Array {
  const scale = new TimeScale(rate, speed, 0, (at, count) => {
    const read = new Float32Array(count);
    for (let n = 0; n < count; n += 1) read[n] = source(at + n);
    return read;
  });
  const out = new Float32Array(seconds * rate);
  for (let at = 0; at < out.length;) {
    const piece = scale.next();
    out.set(piece.subarray(0, out.length - at), at);
    at += piece.length;
  }
  return out;
}

const tone = (hertz: number) => (n: number) => 0.5 * Math.sin((2 * Math.PI * hertz * n) / rate);

/** Measures a tone's frequency by its zero crossings, which are interpolated between samples. */
function measureFrequency(samples: Float32Array): number {
  const crossings: number[] = [];
  for (let n = 1; n < samples.length; n += 1) {
    const [before = 0, after = 0] = [samples[n - 1], samples[n]];
    if (before < 0 && after >= 0) crossings.push(n - after / (after - before));
  }
  const [first = 0] = crossings;
  return ((crossings.length - 1) * rate) / ((crossings.at(-1) ?? 0) - first);
}

const decibels = (samples: Float32Array): number =>
  10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

describe.each([0.5, 0.75, 1.25, 1.5, 2, 3, 4])('TimeScale at %s times the speed', (speed) => {
  it.each([110, 220, 440, 1000, 3000])('keeps the pitch and level of a tone of %i Hz', (hertz) => {
    const sound = scaled(tone(hertz), speed, 2).subarray(rate / 10);
    expect(Math.abs(measureFrequency(sound) / hertz - 1)).toBeLessThan(0.005);
    expect(Math.abs(decibels(sound) - 10 * Math.log10(0.125))).toBeLessThan(1);
  });

  it('has no gap and no click', () => {
    const hertz = 200;
    const sound = scaled(tone(hertz), speed, 2).subarray(rate / 10);
    const steepest = 0.5 * ((2 * Math.PI * hertz) / rate);
    for (let n = 1; n < sound.length; n += 1) {
      const step = Math.abs((sound[n] ?? 0) - (sound[n - 1] ?? 0));
      if (step > 2 * steepest) expect([n, step]).toEqual([n, 'no more than a tone has']);
    }
    for (let from = 0; from + 240 <= sound.length; from += 240)
      expect(decibels(sound.subarray(from, from + 240))).toBeGreaterThan(-12);
  });

  it('advances in the source at that speed', () => {
    const beeps = (n: number): number => (n % rate < rate / 10 ? tone(500)(n) : 0);
    const sound = scaled(beeps, speed, 6);
    const begins: number[] = [];
    let quiet = 0;
    for (let n = 0; n < sound.length; n += 1) {
      if (Math.abs(sound[n] ?? 0) > 0.1) {
        if (quiet > rate / 20) begins.push(n / rate);
        quiet = 0;
      } else quiet += 1;
    }
    for (const [index, at] of begins.entries())
      expect(Math.abs(at - (index + 1) / speed)).toBeLessThan(0.03);
    expect(begins.length).toBeGreaterThanOrEqual(Math.floor(6 * speed) - 1);
  });
});

it('TimeScale keeps the level of noise', () => {
  const random = seeded(5);
  const noise = Float32Array.from({ length: rate * 5 }, () => random() - 0.5);
  const sound = scaled((n) => noise[n] ?? 0, 1.5, 2);
  expect(Math.abs(decibels(sound) - decibels(noise))).toBeLessThan(1.5);
});
