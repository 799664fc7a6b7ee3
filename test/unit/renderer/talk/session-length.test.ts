import { expect, it } from 'vitest';
import {
  expectedSeconds,
  expectedSecondsWithPictures,
} from '../../../../renderer/talk/idle-card.tsx';
import { documentedMemory } from '../../../../shared/vision/picture-memory.ts';

const onePerSecond = { budget: 5, slices: 1, rate: 1, chunkMs: 1000 };

it('a session is expected to last until its context is full or its time is over', () => {
  expect([expectedSeconds(), expectedSecondsWithPictures(onePerSecond)]).toEqual([480, 90]);
  expect(expectedSeconds({ timeLimit: 300 })).toBe(300);
  expect(expectedSecondsWithPictures(onePerSecond, documentedMemory, { timeLimit: 300 })).toBe(90);
  expect(
    expectedSecondsWithPictures(onePerSecond, documentedMemory, { contextLimit: 16_384 }),
  ).toBe(180);
  expect(expectedSeconds({ contextLimit: 81_920 })).toBe(600);
});

it('fewer pictures and a server’s measured memory change the expected length', () => {
  const expected = [1, 2, 3, 4, 5].map((budget) =>
    expectedSecondsWithPictures({ ...onePerSecond, budget }),
  );
  expect(expected).toEqual([300, 300, 230, 152, 90]);
  const measured = { ...documentedMemory, restPerSecond: 40 };
  expect(expectedSecondsWithPictures(onePerSecond, measured)).toBeLessThan(80);
  const everyAppend = { ...documentedMemory, everyAppend: true };
  expect(expectedSecondsWithPictures({ ...onePerSecond, budget: 1 }, everyAppend)).toBe(90);
});
