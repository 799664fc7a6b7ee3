import { describe, expect, it } from 'vitest';
import { GapWatch } from '../../../../../electron/audio/echo/smoothed-clock.ts';

/** After how many milliseconds of blocks of 20 ms it is a gap. */
function seenAfter(offMs: number, tremble = 0): number | undefined {
  const watch = new GapWatch();
  for (let block = 1; block <= 100; block += 1) {
    const off = offMs + (block % 2 === 0 ? tremble : -tremble);
    if (watch.isGap(off, 20)) return block * 20;
  }
  return undefined;
}

describe('a gap in what is captured', () => {
  it('is no slip of the times, which lasts for a fifth of a second', () => {
    const watch = new GapWatch();
    for (let slip = 0; slip < 50; slip += 1) {
      for (let block = 0; block < 10; block += 1) expect(watch.isGap(-16, 20)).toBe(false);
      watch.fits();
    }
  });

  it.each([
    [20, 120],
    [-20, 400],
    [50, 60],
    [-50, 60],
    [300, 20],
    [-3600_000, 20],
  ])('of %d ms is seen after %d', (off, after) => {
    expect(seenAfter(off)).toBe(after);
    expect(seenAfter(off, 1.5)).toBe(after);
  });

  it('is none where the times say something else each time', () => {
    expect(seenAfter(40, 8)).toBeUndefined();
  });
});
