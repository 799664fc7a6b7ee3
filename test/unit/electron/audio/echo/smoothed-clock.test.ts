import { describe, expect, it } from 'vitest';
import {
  capturedClock,
  GapDetector,
  playedClock,
  SmoothedClock,
  type TimestampTraits,
} from '../../../../../electron/audio/echo/smoothed-clock.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const rate = 24_000;
const block = 480;
const second = rate / block;
const kinds = [
  ['captured', capturedClock],
  ['played', playedClock],
] as const;

/** The clock’s error every 20 ms, for reports with the given jitter. */
function measureErrors(
  habits: TimestampTraits,
  seconds: number,
  reported: (truth: number, ms: number) => number,
  driftPerMillion = 0,
): readonly number[] {
  const step = (1000 / rate) * (1 + driftPerMillion / 1e6);
  const line = new SmoothedClock(rate, 0, reported(5000, 0), habits);
  const offs: number[] = [];
  for (let position = block; position < seconds * rate; position += block) {
    const truth = 5000 + position * step;
    const time = reported(truth, position / 24);
    expect(line.fits(position, time)).toBe(true);
    line.report(position, time);
    offs.push(line.timeOf(position - 2400) - (truth - 2400 * step));
  }
  return offs;
}

const worst = (offs: readonly number[]): number => Math.max(...offs.map(Math.abs));

/** The largest drift within a second. */
function maxDrift(offs: readonly number[]): number {
  return worst(offs.slice(second).map((off, n) => off - (offs[n] ?? 0)));
}

/** Jitter as from a sound server: a sawtooth of some milliseconds on a slow wave. */
const guessed = (truth: number, ms: number): number =>
  truth + 4 * Math.sin(ms / 9000) + 3 * ((ms / 1700) % 1);

describe('SmoothedClock', () => {
  it.each(kinds)('is exact for exact reports: %s', (_kind, habits) => {
    const line = new SmoothedClock(rate, 100, 7, habits);
    for (let position = 580; position < 50_000; position += 480) {
      line.report(position, 7 + (position - 100) / 24);
    }
    expect(line.timeOf(60_100)).toBeCloseTo(2507, 9);
    expect(line.positionAt(2507)).toBeCloseTo(60_100, 6);
    expect(line.step).toBeCloseTo(1 / 24, 12);
  });

  it.each([0, 50, -50, 200, -200])('follows a crystal that is off by %d ppm', (drift) => {
    for (const [, habits] of kinds) {
      const offs = measureErrors(habits, 60, (truth) => truth, drift);
      expect(worst(offs)).toBeLessThan(1.5);
      expect(maxDrift(offs.slice(20 * second))).toBeLessThan(0.05);
      expect(worst(offs.slice(50 * second))).toBeLessThan(0.15);
    }
  });

  it('is stable despite jitter', () => {
    for (let seed = 0; seed < 10; seed += 1) {
      const random = seeded(seed);
      for (const [kind, habits] of kinds) {
        const most = kind === 'captured' ? 2 : 0.3;
        const tremble = (truth: number): number => truth + (random() - 0.5) * most;
        const offs = measureErrors(habits, 60, tremble, seed * 10 - 50).slice(2 * second);
        expect(worst(offs)).toBeLessThan(3);
        expect(maxDrift(offs)).toBeLessThan(0.06);
      }
    }
  });

  it('ignores a sound server’s guessed times of a microphone', () => {
    expect(maxDrift(measureErrors(capturedClock, 60, guessed).slice(2 * second))).toBeLessThan(0.2);
  });

  it('follows a speaker within 120 ms after a break, despite early first times', () => {
    const early = [-6, -2.5, -1.5, -0.5];
    const line = new SmoothedClock(rate, 0, early[0] ?? 0, playedClock);
    for (let report = 1; report < 50; report += 1) {
      line.report(report * block, report * 20 + (early[report] ?? 0));
      if (report >= 6)
        expect(Math.abs(line.timeOf(report * block) - report * 20)).toBeLessThan(0.5);
    }
  });

  it('follows a speaker that shifts by some milliseconds, but not a microphone', () => {
    const random = seeded(3);
    const moved = (truth: number, ms: number): number =>
      truth + (ms > 30_000 ? 5 : 0) + random() * 0.4 - 0.2;
    const [played, captured] = [
      measureErrors(playedClock, 34, moved),
      measureErrors(capturedClock, 34, moved),
    ];
    expect(worst(played.slice(31 * second).map((off) => off - 5))).toBeLessThan(0.5);
    expect(worst(captured)).toBeLessThan(2);
  });

  it('averages the first reports', () => {
    const line = new SmoothedClock(rate, 0, 4, capturedClock);
    line.report(24, 1);
    expect(line.timeOf(24)).toBeCloseTo(3, 6);
    line.report(48, 2);
    expect(line.timeOf(48)).toBeCloseTo(10 / 3, 3);
  });

  it.each(kinds)('distinguishes a gap from jitter: %s', (_kind, habits) => {
    const line = new SmoothedClock(rate, 480, 100, habits);
    expect(line.fits(960, 120)).toBe(true);
    expect(line.fits(960, 120 + habits.gapMs - 0.1)).toBe(true);
    expect(line.fits(960, 120 + habits.gapMs + 0.1)).toBe(false);
    expect(line.fits(960, 120 - habits.gapMs - 0.1)).toBe(false);
    expect(line.fits(479, 100)).toBe(false);
    expect(line.fits(960, Number.NaN)).toBe(false);
  });

  it('keeps the learned drift after a break', () => {
    const drift = 1 + 150e-6;
    const before = new SmoothedClock(rate, 0, 0, playedClock);
    for (let position = block; position < 60 * rate; position += block)
      before.report(position, (position / 24) * drift);
    const line = new SmoothedClock(rate, 0, 0, playedClock, before);
    expect(line.step * 24).toBeCloseTo(drift, 4);
  });

  it('limits the drift to 0.3 ms per second', () => {
    const line = new SmoothedClock(1000, 0, 0, playedClock);
    for (let position = 1; position < 20_000; position += 1) {
      const report = line.timeOf(position) + 7;
      line.report(position, report);
    }
    expect(line.step).toBeLessThanOrEqual(1.0003);
  });
});

/** Milliseconds until a gap is detected, in blocks of 20 ms. */
function seenAfter(offMs: number, tremble = 0): number | undefined {
  const watch = new GapDetector();
  for (let block = 1; block <= 100; block += 1) {
    const off = offMs + (block % 2 === 0 ? tremble : -tremble);
    if (watch.isGap(off, 20)) return block * 20;
  }
  return undefined;
}

describe('GapDetector', () => {
  it('ignores a timestamp error that lasts up to a fifth of a second', () => {
    const watch = new GapDetector();
    for (let slip = 0; slip < 50; slip += 1) {
      for (let block = 0; block < 10; block += 1) expect(watch.isGap(-16, 20)).toBe(false);
      watch.reset();
    }
  });

  it.each([
    [20, 120],
    [-20, 400],
    [50, 60],
    [-50, 60],
    [300, 20],
    [-3600_000, 20],
  ])('detects a gap of %d ms after %d ms', (off, after) => {
    expect(seenAfter(off)).toBe(after);
    expect(seenAfter(off, 1.5)).toBe(after);
  });

  it('ignores timestamps that disagree with each other', () => {
    expect(seenAfter(40, 8)).toBeUndefined();
  });
});
