import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBackgroundTimer } from '../../../../renderer/capture/connect-capture-controller.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A worker whose time the test sets. */
function timerHarness() {
  const asked: { id: number; milliseconds: number }[] = [];
  const place = { unseen: false, workers: 0 };
  let hear: (event: { data: number }) => void = () => undefined;
  const after = createBackgroundTimer(
    () => place.unseen,
    () => {
      place.workers += 1;
      return {
        addEventListener: (_name: string, listener: typeof hear) => (hear = listener),
        postMessage: (wait: { id: number; milliseconds: number }) => asked.push(wait),
      } as unknown as Worker;
    },
  );
  return {
    after,
    asked,
    place,
    over: (id: number) => {
      hear({ data: id });
    },
  };
}

describe('a timer of a page', () => {
  it('is its own while it is seen', () => {
    const { after, place } = timerHarness();
    const run = vi.fn();
    after(100, run);
    after(100, run)();
    vi.advanceTimersByTime(100);
    expect(run).toHaveBeenCalledOnce();
    expect(place.workers).toBe(0);
  });

  it('is one worker’s while it is not, runs once, and never after it was called off', () => {
    const { after, asked, place, over } = timerHarness();
    place.unseen = true;
    const ran: string[] = [];
    after(250, () => ran.push('first'));
    const callOff = after(50, () => ran.push('second'));
    after(250, () => ran.push('third'));
    expect(asked.map(({ milliseconds }) => milliseconds)).toEqual([250, 50, 250]);
    callOff();
    for (const { id } of [...asked, ...asked]) over(id);
    expect(ran).toEqual(['first', 'third']);
    vi.advanceTimersByTime(10_000);
    expect([ran.length, place.workers]).toEqual([2, 1]);
  });
});
