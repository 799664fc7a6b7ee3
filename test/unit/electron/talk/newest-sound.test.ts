import { expect, it } from 'vitest';
import { NewestSound } from '../../../../electron/talk/newest-sound.ts';

const block = (mark: number, length = 10): Float32Array => new Float32Array(length).fill(mark);
const marksOf = (sound: NewestSound): readonly (number | undefined)[] =>
  sound.parts.map(([mark]) => mark);

it('keeps the last blocks that make up what is asked for, and counts what goes', () => {
  const sound = new NewestSound();
  for (const mark of [1, 2, 3]) sound.add(block(mark));
  expect(sound.keep(30)).toBe(0);
  expect(sound.keep(21)).toBe(0);
  expect(sound.keep(20)).toBe(10);
  expect(marksOf(sound)).toEqual([2, 3]);
  expect(sound.keep(5)).toBe(10);
  expect(marksOf(sound)).toEqual([3]);
  expect(new NewestSound().keep(5)).toBe(0);
});

it('counts anew what it is given, and what is taken', () => {
  const sound = new NewestSound();
  sound.add(block(1));
  sound.set([block(2), block(3), block(4, 20)]);
  expect(marksOf(sound)).toEqual([2, 3, 4]);
  expect(sound.takeFirst()).toEqual(block(2));
  expect(sound.keep(20)).toBe(10);
  expect(marksOf(sound)).toEqual([4]);
  expect(sound.isEmpty).toBe(false);
  expect(sound.takeFirst()).toHaveLength(20);
  expect(sound.isEmpty).toBe(true);
  expect(sound.takeFirst()).toBeUndefined();
});
