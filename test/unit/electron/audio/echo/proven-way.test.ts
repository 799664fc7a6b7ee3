import { describe, expect, it } from 'vitest';
import { ProvenWay } from '../../../../../electron/audio/echo/echo-confidence.ts';

const block = (level: number): Float32Array => new Float32Array(160).fill(level);

describe('whether what was learned of a room is worth to be kept', () => {
  it('is, while it takes most of an echo away, and stays known when it does not', () => {
    const way = new ProvenWay();
    expect(way.isThere).toBe(false);
    expect(way.follow(block(0.1), block(0.01))).toBe(true);
    // Somebody speaks, or the echo comes at another time.
    for (let n = 0; n < 20; n += 1) way.follow(block(0.1), block(0.1));
    expect(way.follow(block(0.1), block(0.1))).toBe(false);
    expect(way.isThere).toBe(true);
  });

  it('is not any more after seconds in which it was of no use, but silence says nothing', () => {
    const way = new ProvenWay();
    way.follow(block(0.1), block(0.01));
    for (let n = 0; n < 1000; n += 1) way.follow(block(0), block(0));
    expect(way.isThere).toBe(true);
    for (let n = 0; n < 250; n += 1) way.follow(block(0.1), block(0.1));
    expect(way.isThere).toBe(false);
  });
});
