import { describe, expect, it } from 'vitest';
import {
  echoBands,
  fromBands,
  toBands,
} from '../../../../../electron/audio/echo/echo-suppressor.ts';

const bins = 257;

describe('spectrum bands', () => {
  it('preserve the power, with each bin in at most two adjacent bands', () => {
    for (let bin = 0; bin < bins; bin += 1) {
      const power = new Float32Array(bins);
      power[bin] = 1;
      const bands = new Float32Array(echoBands + 2).fill(-1);
      toBands(power, bands, 1);
      const held = bands.subarray(1, echoBands + 1);
      expect(held.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 5);
      expect(held.filter((one) => one > 0).length).toBeLessThanOrEqual(2);
      expect([bands[0], bands[echoBands + 1]]).toEqual([-1, -1]);
    }
  });

  it('interpolate back to bins without steps', () => {
    const bands = Float32Array.from({ length: echoBands }, (_, band) => band % 2);
    const gains = new Float32Array(bins);
    fromBands(new Float32Array(echoBands).fill(0.5), gains);
    expect(gains.every((gain) => Math.abs(gain - 0.5) < 1e-6)).toBe(true);
    fromBands(bands, gains);
    for (let bin = 1; bin < bins; bin += 1)
      expect(Math.abs((gains[bin] ?? 0) - (gains[bin - 1] ?? 0))).toBeLessThan(0.34);
  });
});
