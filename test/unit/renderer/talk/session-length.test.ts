import { expect, it } from 'vitest';
import { usualSeconds } from '../../../../renderer/talk/session-length.tsx';

it('a session is expected to last until its context is full, unless its time is over before', () => {
  expect([usualSeconds('audio'), usualSeconds('video')]).toEqual([480, 90]);
  expect(usualSeconds('audio', { timeLimit: 300 })).toBe(300);
  expect(usualSeconds('video', { timeLimit: 300 })).toBe(90);
  expect(usualSeconds('video', { contextLimit: 16_384 })).toBe(180);
  expect(usualSeconds('audio', { contextLimit: 81_920 })).toBe(600);
});
