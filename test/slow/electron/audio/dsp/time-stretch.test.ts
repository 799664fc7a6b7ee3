import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { emptyHalfSpectrum, RealFft } from '../../../../../electron/audio/dsp/real-fft.ts';
import { soundFromWav } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import {
  maxStretch,
  TimeScale,
  timeStretch,
} from '../../../../../electron/audio/dsp/time-stretch.ts';
import { seeded } from '../../../../fakes/seeded.ts';

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

const fftSize = 512;
const fft = new RealFft(fftSize);
const clipNames = [
  'see',
  'hear',
  'hello',
  'sorry',
  'only',
  'turns',
  'connect',
  'written',
  'loudness',
];

function spoken(name: string): Float32Array {
  const sound = soundFromWav(readFileSync(`resources/speech/${name}.wav`), rate, 60);
  if (!sound.ok) throw new Error(`${name} cannot be read.`);
  return sound.value;
}

/** Levels of 23 frequency bands in 21 ms of sound, in dB. The added floor is inaudible. */
function bands(samples: Float32Array, at: number): readonly number[] {
  const windowed = Float32Array.from({ length: fftSize }, (_, n) => {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / fftSize);
    return (samples[at + n] ?? 0) * window;
  });
  const { re, im } = emptyHalfSpectrum(fftSize);
  fft.forward(windowed, { re, im });
  return Array.from({ length: 23 }, (_, band) => {
    let power = 1e-3;
    for (let bin = 1 + band * 8; bin < 9 + band * 8; bin += 1)
      power += (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
    return 10 * Math.log10(power);
  });
}

/** The root mean square of the differences between band levels, in dB. */
function distance(one: readonly number[], other: readonly number[]): number {
  const squares = one.map((db, n) => (db - (other[n] ?? 0)) ** 2);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}

/** Counts rises of 15 dB within 40 ms, which words and plosives cause. */
function onsets(samples: Float32Array): number {
  const step = rate / 50;
  const levels = Array.from({ length: Math.floor(samples.length / step) }, (_, n) => {
    const piece = samples.subarray(n * step, (n + 1) * step);
    return 10 * Math.log10(piece.reduce((sum, x) => sum + x * x, 1e-6 * step) / step);
  });
  let [count, last] = [0, -9];
  levels.forEach((level, n) => {
    if (level - (levels[n - 2] ?? level) < 15 || n - last < 4) return;
    count += 1;
    last = n;
  });
  return count;
}

it('timeStretch lengthens speech by a fifth and keeps its spectrum and its onsets', () => {
  const shares: number[] = [];
  const distances: number[] = [];
  let [before, after] = [0, 0];
  for (const name of clipNames) {
    const samples = spoken(name);
    const out: number[] = [];
    /** The position in the original of each stretched sample. */
    const from: number[] = [];
    let own = 0;
    const inserted = timeStretch(samples, maxStretch * samples.length, rate, (piece, isOwn) => {
      piece.forEach((sample, n) => {
        out.push(sample);
        from.push(own + (isOwn ? n : 0));
      });
      if (isOwn) own += piece.length;
    });
    const longer = Float32Array.from(out);
    shares.push(inserted / samples.length);
    before += onsets(samples);
    after += onsets(longer);
    for (let at = 0; at + fftSize < longer.length; at += fftSize / 2) {
      const here = bands(longer, at);
      // A shift by a period of the voice is inaudible, so the nearest of some shifts counts.
      const near = [-360, -240, -120, 0, 120, 240, 360].map((off) =>
        distance(here, bands(samples, Math.max(0, (from[at] ?? 0) + off))),
      );
      distances.push(Math.min(...near));
    }
  }
  const sorted = distances.toSorted((one, other) => one - other);
  const percentile = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  const share = shares.reduce((sum, each) => sum + each, 0) / shares.length;
  process.stdout.write(
    `longer by ${(100 * share).toFixed(0)} %; distance of the spectrum from the original: p50, p95, p99 ` +
      `${[0.5, 0.95, 0.99].map((each) => percentile(each).toFixed(1)).join(', ')} dB; ${before} onsets before, ${after} after\n`,
  );
  expect(share).toBeGreaterThan(0.2);
  expect(percentile(0.5)).toBeLessThan(0.5);
  expect(percentile(0.95)).toBeLessThan(2);
  expect(percentile(0.99)).toBeLessThan(2);
  expect(Math.abs(after - before)).toBeLessThanOrEqual(Math.ceil(before / 25));
});
