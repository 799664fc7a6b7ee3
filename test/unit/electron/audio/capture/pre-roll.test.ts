import { expect, it } from 'vitest';
import { PreRoll } from '../../../../../electron/audio/capture/transmit-gate.ts';
import { seeded } from '../../../../fakes/seeded.ts';

it('the pre-roll keeps the newest samples in order, for any block size', () => {
  const random = seeded(11);
  for (let round = 0; round < 200; round += 1) {
    const capacity = 1 + Math.floor(random() * 40);
    const recent = new PreRoll(capacity);
    let expected: number[] = [];
    let next = 1;
    for (let step = 0; step < 40; step += 1) {
      const block = Float32Array.from({ length: Math.floor(random() * 60) }, () => next++);
      recent.push(block);
      expected = [...expected, ...block].slice(-capacity);
      expect(recent.length).toBe(expected.length);
      if (random() < 0.5) continue;
      const got: number[] = [];
      if (random() < 0.3) {
        recent.clear();
        expected = [];
      }
      for (const part of recent.take()) {
        expect(part.length).toBeGreaterThan(0);
        got.push(...part);
      }
      expect(got).toEqual(expected);
      expect(recent.length).toBe(0);
      expected = [];
    }
  }
});
