import { expect, it } from 'vitest';
import { lastingSeconds, lastingWithPictures } from '../../../../renderer/talk/idle-card.tsx';
import { documentedMemory } from '../../../../shared/vision/picture-memory.ts';

const sharp = { budget: 5, slices: 1, rate: 1, chunkMs: 1000 };

it('a session is expected to last until its context is full, unless its time is over before', () => {
  expect([lastingSeconds(), lastingWithPictures(sharp)]).toEqual([480, 90]);
  expect(lastingSeconds({ timeLimit: 300 })).toBe(300);
  expect(lastingWithPictures(sharp, documentedMemory, { timeLimit: 300 })).toBe(90);
  expect(lastingWithPictures(sharp, documentedMemory, { contextLimit: 16_384 })).toBe(180);
  expect(lastingSeconds({ contextLimit: 81_920 })).toBe(600);
});

it('with pictures it lasts the longer, the fewer are wanted, and by what the server has shown', () => {
  const lasting = [1, 2, 3, 4, 5].map((budget) => lastingWithPictures({ ...sharp, budget }));
  expect(lasting).toEqual([300, 300, 230, 152, 90]);
  const shown = { ...documentedMemory, restPerSecond: 40 };
  expect(lastingWithPictures(sharp, shown)).toBeLessThan(80);
  const everyAppend = { ...documentedMemory, everyAppend: true };
  expect(lastingWithPictures({ ...sharp, budget: 1 }, everyAppend)).toBe(90);
});
