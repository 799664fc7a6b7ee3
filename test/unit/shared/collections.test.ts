import { describe, expect, it } from 'vitest';
import { Deque } from '../../../shared/collections.ts';
import { seeded } from '../../fakes/seeded.ts';
import { randomRuns } from '../../fakes/random-runs.ts';

describe('Deque', () => {
  it('behaves like an array under random operations', () => {
    const random = seeded(7);
    const deque = new Deque<number>();
    let plain: number[] = [];
    for (let step = 0; step < randomRuns(20_000); step += 1) {
      const dice = random();
      if (dice < 0.55) {
        deque.push(step);
        plain.push(step);
      } else if (dice < 0.9) {
        expect(deque.shift()).toBe(plain.shift());
      } else if (dice < 0.95) {
        const at = Math.floor(random() * (plain.length + 1));
        deque.set(at, step);
        plain[at] = step;
      } else if (dice < 0.96) {
        const kept = Math.floor(random() * plain.length);
        deque.truncate(kept);
        plain = plain.slice(0, kept);
      }
      expect(deque.length).toBe(plain.length);
      expect(deque.at(0)).toBe(plain[0]);
      expect(deque.at(plain.length - 1)).toBe(plain.at(-1));
      expect(deque.at(-1)).toBeUndefined();
      if (step % 100 === 0) expect([...deque]).toEqual(plain);
    }
  });
});
