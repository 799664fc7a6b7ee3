import { expect, it } from 'vitest';
import { progressLine } from '../../scripts/lib/progress.mjs';

it('omits the remaining time before a tenth is done and at the end', () => {
  expect(progressLine('window', 9, 100, 1000)).toBe('window: 9 of 100');
  expect(progressLine('window', 100, 100, 60_000)).toBe('window: 100 of 100');
});

it('expects the rest to go as fast as what is done', () => {
  expect(progressLine('window', 25, 100, 60_000)).toBe('window: 25 of 100, about 3 minutes left');
  expect(progressLine('window', 99, 100, 60_000)).toBe('window: 99 of 100, about 1 minute left');
});
