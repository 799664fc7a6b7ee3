import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NoticeBatches } from '../../../../../electron/app/ipc/notice-batches.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function batches() {
  const sent: (readonly number[])[] = [];
  const all = new NoticeBatches((batch) => {
    sent.push(batch.map(({ revision }) => revision));
  });
  const add = (...revisions: readonly number[]): void => {
    for (const revision of revisions)
      all.add({ notice: { name: 'floor', payload: 'you' }, revision });
  };
  const level = (revision: number): void => {
    const payload = { who: 'you', rmsDb: -20, peakDb: -10 } as const;
    all.add({ notice: { name: 'level', payload }, revision });
  };
  return { all, add, level, sent };
}

it('sends the first notice at once, and those that follow in one batch, in order', () => {
  const { add, sent, all } = batches();
  add(1);
  expect(sent).toEqual([[1]]);
  add(2, 3);
  expect(sent).toEqual([[1]]);
  vi.advanceTimersByTime(9);
  expect(sent).toEqual([[1], [2, 3]]);
  vi.advanceTimersByTime(100);
  add(4);
  expect(sent).toEqual([[1], [2, 3], [4]]);
  all.end();
});

it('batches thousands of notices and delays none longer than 100 ms', () => {
  const { add, sent, all } = batches();
  for (let ms = 0; ms < 1000; ms += 1) {
    add(...Array.from({ length: 100 }, (_, at) => ms * 100 + at));
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(100);
  expect(sent.flat()).toEqual(Array.from({ length: 100_000 }, (_, at) => at));
  expect(sent.length).toBeLessThan(600);
  expect(Math.max(...sent.map(({ length }) => length))).toBe(200);
  all.end();
});

it('sends nothing after its end', () => {
  const { add, sent, all } = batches();
  add(1, 2);
  all.end();
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual([[1]]);
});

it('batches the levels of two voices, and sends them with an urgent notice', () => {
  const { add, level, sent, all } = batches();
  level(1);
  vi.advanceTimersByTime(20);
  level(2);
  vi.advanceTimersByTime(39);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([[1, 2]]);
  vi.advanceTimersByTime(20);
  level(3);
  add(4);
  expect(sent).toEqual([
    [1, 2],
    [3, 4],
  ]);
  all.end();
});

it('sends levels at most sixteen times a second', () => {
  const { level, sent, all } = batches();
  for (let ms = 0; ms < 1000; ms += 5) {
    level(ms);
    vi.advanceTimersByTime(5);
  }
  expect(sent.length).toBeLessThanOrEqual(16);
  all.end();
});
