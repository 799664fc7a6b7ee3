import { expect, it } from 'vitest';
import { SoundBlockQueue } from '../../../../electron/talk/uplink-backlog.ts';

const block = (mark: number, length = 10): Float32Array => new Float32Array(length).fill(mark);
const marksOf = (sound: SoundBlockQueue): readonly (number | undefined)[] =>
  sound.parts.map(([mark]) => mark);

it('a queue of blocks keeps the newest with the requested samples, and counts the dropped ones', () => {
  const sound = new SoundBlockQueue();
  for (const mark of [1, 2, 3]) sound.add(block(mark));
  expect(sound.keepNewest(30)).toBe(0);
  expect(sound.keepNewest(21)).toBe(0);
  expect(sound.keepNewest(20)).toBe(10);
  expect(marksOf(sound)).toEqual([2, 3]);
  expect(sound.keepNewest(5)).toBe(10);
  expect(marksOf(sound)).toEqual([3]);
  expect(new SoundBlockQueue().keepNewest(5)).toBe(0);
});

it('a queue of blocks tracks its length when blocks are set and taken', () => {
  const sound = new SoundBlockQueue();
  sound.add(block(1));
  sound.set([block(2), block(3), block(4, 20)]);
  expect(marksOf(sound)).toEqual([2, 3, 4]);
  expect(sound.takeFirst()).toEqual(block(2));
  expect(sound.keepNewest(20)).toBe(10);
  expect(marksOf(sound)).toEqual([4]);
  expect(sound.isEmpty).toBe(false);
  expect(sound.takeFirst()).toHaveLength(20);
  expect(sound.isEmpty).toBe(true);
  expect(sound.takeFirst()).toBeUndefined();
});
