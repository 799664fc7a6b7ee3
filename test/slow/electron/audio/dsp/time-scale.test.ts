import { describe, expect, it } from 'vitest';
import { TimeScale } from '../../../../../electron/audio/dsp/time-stretch.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const rate = 24_000;

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

/** Measured by interpolated zero crossings. */
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

it('keeps the level of noise', () => {
  const random = seeded(5);
  const noise = Float32Array.from({ length: rate * 5 }, () => random() - 0.5);
  const sound = scaled((n) => noise[n] ?? 0, 1.5, 2);
  expect(Math.abs(decibels(sound) - decibels(noise))).toBeLessThan(1.5);
});
