import { describe, expect, it } from 'vitest';
import { resample, resampleSource } from '../../../../../electron/audio/dsp/sinc-resampler.ts';
import { toMono } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';

function sine(hertz: number, rate: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hertz * n) / rate));
}

function decibelsOfNoise(got: Float32Array, expected: Float32Array, skip: number): number {
  let signal = 0;
  let noise = 0;
  for (let n = skip; n < got.length - skip; n += 1) {
    signal += (expected[n] ?? 0) ** 2;
    noise += ((got[n] ?? 0) - (expected[n] ?? 0)) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

describe('resample', () => {
  it.each([
    [44_100, 16_000],
    [48_000, 16_000],
    [8000, 16_000],
    [22_050, 16_000],
    [16_000, 24_000],
    [44_101, 16_000],
  ])('keeps a tone of 1 kHz clean from %i to %i Hz', (from, to) => {
    const got = resample(sine(1000, from, from * 1.5), from, to);
    const noise = decibelsOfNoise(got, sine(1000, to, got.length), to / 50);
    expect(noise).toBeGreaterThan(90);
  });

  it.each([
    [192_000, 1000],
    [1000, 192_000],
    [11_025, 16_000],
  ])('has the expected length at both ends of the input: %i to %i Hz', (from, to) => {
    expect(resample(new Float32Array(from * 2), from, to).length).toBe(to * 2);
  });

  it('keeps a sound that is shorter than its filter', () => {
    const got = resample(sine(1000, 24_000, 24), 24_000, 48_000);
    expect(got.length).toBe(48);
    expect(got.reduce((peak, x) => Math.max(peak, x), 0)).toBeGreaterThan(0.4);
  });

  it('lets no frequencies above the new Nyquist rate alias', () => {
    const got = resample(sine(11_000, 48_000, 24_000), 48_000, 16_000);
    const loudest = got.slice(200, -200).reduce((peak, x) => Math.max(peak, Math.abs(x)), 0);
    expect(20 * Math.log10(loudest / 0.5)).toBeLessThan(-90);
  });

  it('keeps the duration, produces no NaN, and keeps a constant', () => {
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
  ])('requests input from %i to %i Hz in small ranges within its bounds', (from, to) => {
    const random = seeded(2);
    const samples = Float32Array.from({ length: from * 3 }, () => random() - 0.5);
    const asked: number[] = [];
    const part = (start: number, end: number) => {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(samples.length);
      asked.push(end - start);
      return samples.slice(start, end);
    };
    const got = resampleSource({ length: samples.length, part }, from, to);
    expect(got).toEqual(resample(samples, from, to));
    expect(Math.max(...asked)).toBeLessThan(from);
    expect(asked.every((length) => length > 0)).toBe(true);
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
