import { describe, expect, it } from 'vitest';
import { SmoothedClock } from '../../../../../electron/sound/capture/smoothed-clock.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const rate = 24_000;

/** How far off the clock is at worst, from its 20th second on, with reports every 20 ms. */
function worstError(driftPerMillion: number, trembleMs: number, seed: number): number {
  const random = seeded(seed);
  const step = (1000 / rate) * (1 + driftPerMillion / 1e6);
  const line = new SmoothedClock(rate, 0, 5000 + (random() * 2 - 1) * trembleMs);
  let worst = 0;
  for (let position = 480; position < 60 * rate; position += 480) {
    const truth = 5000 + position * step;
    const reported = truth + (random() * 2 - 1) * trembleMs;
    expect(line.fits(position, reported)).toBe(true);
    line.report(position, reported);
    if (position < 20 * rate) continue;
    worst = Math.max(worst, Math.abs(line.timeOf(position - 2400) - (truth - 2400 * step)));
  }
  return worst;
}

describe('SteadyTime', () => {
  it('is exact where the reports are', () => {
    const line = new SmoothedClock(rate, 100, 7);
    for (let position = 580; position < 50_000; position += 480) {
      line.report(position, 7 + (position - 100) / 24);
    }
    expect(line.timeOf(60_100)).toBeCloseTo(2507, 9);
    expect(line.positionAt(2507)).toBeCloseTo(60_100, 6);
    expect(line.step).toBeCloseTo(1 / 24, 12);
  });

  it.each([0, 50, -50, 200, -200])('follows a clock off by %d ppm', (drift) => {
    expect(worstError(drift, 0, 1)).toBeLessThan(0.01);
  });

  it('stays within a third of a millisecond where reports tremble by 1 ms', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      expect(worstError(seed * 10 - 100, 1, seed)).toBeLessThan(0.33);
    }
  });

  it('follows within a second where a stream is later by some milliseconds, and by less than a gap', () => {
    const random = seeded(3);
    const line = new SmoothedClock(rate, 0, 0);
    const truth = (position: number): number => position / 24 + (position > 30 * rate ? 5 : 0);
    for (let position = 480; position < 34 * rate; position += 480) {
      line.report(position, truth(position) + random() - 0.5);
      if (position < 31 * rate) continue;
      expect(Math.abs(line.timeOf(position) - truth(position))).toBeLessThan(0.7);
    }
    expect(Math.abs(line.timeOf(34 * rate) - truth(34 * rate))).toBeLessThan(0.5);
  });

  it('averages the first reports', () => {
    const line = new SmoothedClock(rate, 0, 4);
    line.report(24, 1);
    expect(line.timeOf(24)).toBeCloseTo(3, 6);
    line.report(48, 2);
    expect(line.timeOf(48)).toBeCloseTo(10 / 3, 3);
  });

  it('knows a gap from jitter', () => {
    const line = new SmoothedClock(rate, 480, 100);
    expect(line.fits(960, 120)).toBe(true);
    expect(line.fits(960, 127.9)).toBe(true);
    expect(line.fits(960, 128.1)).toBe(false);
    expect(line.fits(960, 111.9)).toBe(false);
    expect(line.fits(479, 100)).toBe(false);
    expect(line.fits(960, Number.NaN)).toBe(false);
  });

  it('believes no clock that is off by more than a thousandth', () => {
    const line = new SmoothedClock(1000, 0, 0);
    for (let position = 1; position < 20_000; position += 1) {
      const report = line.timeOf(position) + 7;
      line.report(position, report);
    }
    expect(line.step).toBeLessThanOrEqual(1.001);
  });
});
