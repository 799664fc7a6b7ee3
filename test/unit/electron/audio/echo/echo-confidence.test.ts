import { describe, expect, it } from 'vitest';
import { EchoEvidence } from '../../../../../electron/audio/echo/echo-confidence.ts';

describe('EchoEvidence', () => {
  const block = (level: number): Float32Array => new Float32Array(160).fill(level);

  it('counts a path as proven while it removes most of the echo, and for a while after', () => {
    const evidence = new EchoEvidence();
    expect(evidence.isProven).toBe(false);
    expect(evidence.follow(block(0.1), block(0.01), true)).toBe(true);
    // Somebody speaks, or the echo delay has changed.
    for (let n = 0; n < 20; n += 1) evidence.follow(block(0.1), block(0.1), true);
    expect(evidence.follow(block(0.1), block(0.1), true)).toBe(false);
    expect(evidence.isProven).toBe(true);
  });

  it('drops the proof after seconds without success, but not during silence', () => {
    const evidence = new EchoEvidence();
    evidence.follow(block(0.1), block(0.01), true);
    for (let n = 0; n < 1000; n += 1) evidence.follow(block(0), block(0), true);
    expect(evidence.isProven).toBe(true);
    for (let n = 0; n < 250; n += 1) evidence.follow(block(0.1), block(0.1), true);
    expect(evidence.isProven).toBe(false);
  });
});
