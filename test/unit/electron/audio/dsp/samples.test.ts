import { describe, expect, it } from 'vitest';
import {
  cleanSamples,
  emitSilence,
  fadeCurve,
  fadeIn,
  fadeLength,
} from '../../../../../electron/audio/dsp/samples.ts';
import { seeded } from '../../../../fakes/seeded.ts';

it('cleanSamples replaces and counts invalid samples, and changes nothing else', () => {
  const random = seeded(8);
  const bad = [Number.NaN, Infinity, -Infinity];
  for (let round = 0; round < 100; round += 1) {
    let planted = 0;
    const expected: number[] = [];
    const block = Float32Array.from({ length: Math.floor(random() * 400) }, () => {
      const kind = Math.floor(random() * 12);
      planted += kind < 3 ? 1 : 0;
      const sample = Math.fround(random() * 8 - 4);
      expected.push(kind < 3 ? 0 : sample);
      return bad[kind] ?? sample;
    });
    expect(cleanSamples(block)).toBe(planted);
    expect([...block]).toEqual(expected);
    expect(cleanSamples(block)).toBe(0);
  }
});

it('cleanSamples keeps samples above full scale', () => {
  const block = new Float32Array([1.5, -7, 3e38]);
  expect(cleanSamples(block)).toBe(0);
  expect(block).toEqual(new Float32Array([1.5, -7, 3e38]));
});

it('emitSilence emits silence of the requested length', () => {
  const random = seeded(7);
  const lengths = [0, 1, 4095, 4096, 4097, 8192];
  for (let round = 0; round < 50; round += 1) lengths.push(Math.floor(random() * 40_000));
  for (const length of lengths) {
    let samples = 0;
    emitSilence(length, (block) => {
      expect(block.length).toBeGreaterThan(0);
      expect(block.every((sample) => sample === 0)).toBe(true);
      samples += block.length;
    });
    expect(samples).toBe(length);
  }
});

it('emitSilence emits nothing for a negative length', () => {
  emitSilence(-3, () => expect.unreachable());
});

const ones = (length: number) => new Float32Array(length).fill(1);

describe('fadeIn and fadeCurve', () => {
  it.each([
    [16_000, 80],
    [24_000, 120],
    [44_100, 221],
    [50, 1],
  ])('lasts 5 ms at %i Hz', (rate, length) => {
    expect(fadeLength(rate)).toBe(length);
  });

  it('rises from silence without a step, and mirrors the falling curve', () => {
    for (const length of [1, 2, 80, 120, 221]) {
      const curve = fadeCurve(length);
      expect(curve.length).toBe(length);
      for (let n = 0; n < length; n += 1) {
        const step = (curve[n] ?? 0) - (curve[n - 1] ?? 0);
        expect(step).toBeGreaterThan(0);
        if (length > 1) expect(step).toBeLessThanOrEqual(Math.PI / 2 / length + 1e-6);
        expect((curve[n] ?? 0) + (curve[length - 1 - n] ?? 0)).toBeCloseTo(1, 6);
      }
    }
  });

  it('changes only the first 5 ms', () => {
    const block = ones(300);
    fadeIn(block, 16_000);
    expect(block.subarray(0, 80)).toEqual(fadeCurve(80));
    expect(block.subarray(80)).toEqual(ones(220));
  });

  it('covers a whole block that is shorter', () => {
    const rising = ones(10);
    fadeIn(rising, 16_000);
    expect(rising).toEqual(fadeCurve(10));
    fadeIn(new Float32Array(), 16_000);
  });
});
