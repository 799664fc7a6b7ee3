import { describe, expect, it } from 'vitest';
import { fadeCurve, fadeIn, fadeLength } from '../../../../../electron/audio/dsp/samples.ts';

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
