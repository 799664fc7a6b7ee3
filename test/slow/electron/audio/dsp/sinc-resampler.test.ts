import { describe, expect, it } from 'vitest';
import { joinSamples } from '../../../../../electron/audio/dsp/samples.ts';
import {
  resample,
  resampleSource,
  SincResampler,
} from '../../../../../electron/audio/dsp/sinc-resampler.ts';
import { toMono } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';

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

  it('converts a part of a larger buffer in blocks of up to 50 s', () => {
    const sound = sine(1000, 24_000, 2_400_000);
    sound.fill(0, 0, 1_200_000);
    const got = convert(sound.subarray(1_200_000), 24_000, 48_000, 1_200_000, 3);
    const expected = sine(1000, 48_000, 2_400_000);
    expect(signalToNoiseDb(got, expected, 1000)).toBeGreaterThan(100);
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

  it('restarts on reset like a new instance', () => {
    const resampler = new SincResampler(44_100, 16_000);
    resampler.convert(sine(1000, 44_100, 5000));
    resampler.restart();
    const block = sine(300, 44_100, 5000);
    expect(resampler.convert(block)).toEqual(new SincResampler(44_100, 16_000).convert(block));
  });

  it('returns nothing for an empty block', () => {
    expect(new SincResampler(24_000, 48_000).convert(new Float32Array())).toHaveLength(0);
  });

  it.each([0, -1, 44_100.5, Number.NaN])('throws at %d Hz', (rate) => {
    const problem = `Sound cannot be converted from ${rate} to 16000 Hz.`;
    expect(() => new SincResampler(rate, 16_000)).toThrow(problem);
    expect(() => new SincResampler(16_000, rate)).toThrow(RangeError);
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

  it('keeps a sound that is shorter than the filter', () => {
    const got = resample(sine(1000, 24_000, 24), 24_000, 48_000);
    expect(got.length).toBe(48);
    expect(got.reduce((peak, x) => Math.max(peak, x), 0)).toBeGreaterThan(0.4);
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

  it('copies a sound that needs no conversion', () => {
    const samples = new Float32Array([1, 2]);
    const got = resample(samples, 16_000, 16_000);
    expect(got).toEqual(samples);
    expect(got).not.toBe(samples);
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

  it('drops an incomplete last frame', () => {
    expect(toMono(new Float32Array([1, 1, 1, 0.5]), 3)).toEqual(new Float32Array([1]));
  });
});
