import { describe, expect, it } from 'vitest';
import { GapDetector } from '../../../../../electron/audio/echo/smoothed-clock.ts';

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
  it('ignores a temporary timestamp error of up to a fifth of a second', () => {
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
