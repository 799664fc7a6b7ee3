import { describe, expect, it } from 'vitest';
import { UnplayedQueue } from '../../../../../electron/sound/devices/unplayed-queue.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { numbered } from './sound-stage.ts';

const left = (unplayed: UnplayedQueue): number[] =>
  unplayed.all().flatMap((chunk) => Array.from(chunk));

describe('what has not been played', () => {
  it('is what was added less what has been played, in order', () => {
    const unplayed = new UnplayedQueue();
    unplayed.add(numbered(0, 3));
    unplayed.add(new Float32Array(0));
    unplayed.add(numbered(3, 3));
    expect(unplayed.played(4)).toBe(4);
    expect(left(unplayed)).toEqual([5, 6]);
    expect(unplayed.samples).toBe(2);
  });

  it('never becomes more by playing, nor less than nothing', () => {
    const unplayed = new UnplayedQueue();
    unplayed.add(numbered(0, 3));
    expect(unplayed.played(-5)).toBe(0);
    expect(unplayed.samples).toBe(3);
    expect(unplayed.played(9)).toBe(3);
    expect(unplayed.played(1)).toBe(0);
    expect([unplayed.samples, unplayed.clear()]).toEqual([0, 0]);
  });

  it('is nothing once it is cleared', () => {
    const unplayed = new UnplayedQueue();
    unplayed.add(numbered(0, 5));
    unplayed.played(2);
    expect(unplayed.clear()).toBe(3);
    expect(left(unplayed)).toEqual([]);
    unplayed.add(numbered(0, 2));
    expect(left(unplayed)).toEqual([1, 2]);
  });

  it.each([1, 2, 3, 4, 5])('loses and doubles nothing, whatever comes (seed %i)', (seed) => {
    const random = seeded(seed);
    const unplayed = new UnplayedQueue();
    let [added, gone] = [0, 0];
    for (let step = 0; step < 300; step += 1) {
      const count = Math.floor(random() * 40);
      if (random() < 0.5) {
        unplayed.add(numbered(added, count));
        added += count;
      } else {
        gone += unplayed.played(count);
      }
      expect(left(unplayed)).toEqual([...numbered(gone, added - gone)]);
    }
  });
});
