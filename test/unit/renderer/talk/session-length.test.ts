import { expect, it } from 'vitest';
import { lastingSeconds } from '../../../../renderer/talk/session-length.tsx';

it('a session is expected to last until its context is full, unless its time is over before', () => {
  expect([lastingSeconds('audio'), lastingSeconds('video')]).toEqual([480, 90]);
  expect(lastingSeconds('audio', { timeLimit: 300 })).toBe(300);
  expect(lastingSeconds('video', { timeLimit: 300 })).toBe(90);
  expect(lastingSeconds('video', { contextLimit: 16_384 })).toBe(180);
  expect(lastingSeconds('audio', { contextLimit: 81_920 })).toBe(600);
});
