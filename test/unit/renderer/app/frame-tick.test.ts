import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onFrameTick, throttleWithVideo } from '../../../../renderer/app/frame-tick.ts';
import { collectUnhandledRejections } from '../../../fakes/collect-unhandled-rejections.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  // Ends a pending tick before the next test.
  if (vi.isFakeTimers()) vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

it('the frame tick runs all callbacks together 15 times a second', () => {
  const at: number[] = [];
  const again = (count: number): void => {
    if (count > 0)
      onFrameTick(() => {
        at.push(performance.now());
        again(count - 1);
      });
  };
  again(15);
  vi.advanceTimersByTime(17);
  again(15);
  vi.advanceTimersByTime(1070);
  expect(at).toHaveLength(30);
  expect(new Set(at).size).toBe(15);
  expect(vi.getTimerCount()).toBe(0);
});

it('the frame tick skips a cancelled callback', () => {
  const run = vi.fn();
  onFrameTick(run)();
  vi.advanceTimersByTime(200);
  expect(run).not.toHaveBeenCalled();
});

it('the frame tick runs the other callbacks if one throws, and reports its error', async () => {
  const run = vi.fn();
  const planted = new Error('planted');
  const reported = await collectUnhandledRejections(async () => {
    onFrameTick(() => {
      throw planted;
    });
    onFrameTick(run);
    vi.advanceTimersByTime(140);
    vi.useRealTimers();
  });
  expect(run).toHaveBeenCalledOnce();
  expect(reported).toEqual([planted]);
});

it('the frame tick keeps its rate if the engine fires timers early', () => {
  const realTimeout = setTimeout;
  vi.stubGlobal('setTimeout', (run: () => void, ms: number) =>
    realTimeout(run, Math.max(0, ms - 1)),
  );
  let ticks = 0;
  const again = (): void => {
    ticks += 1;
    onFrameTick(again);
  };
  const stop = onFrameTick(again);
  vi.advanceTimersByTime(2000);
  vi.unstubAllGlobals();
  stop();
  expect(ticks).toBeGreaterThan(26);
  expect(ticks).toBeLessThanOrEqual(31);
});

it('the frame tick slows to 10 frames a second while a video plays', () => {
  let ticks = 0;
  const again = (): void => {
    ticks += 1;
    onFrameTick(again);
  };
  const ticksIn = (ms: number): number => {
    const before = ticks;
    vi.advanceTimersByTime(ms);
    return ticks - before;
  };
  const stop = onFrameTick(again);
  const ended = [throttleWithVideo(), throttleWithVideo()];
  vi.advanceTimersByTime(200);
  expect(ticksIn(2000)).toBe(20);
  ended[0]?.();
  expect(ticksIn(2000)).toBe(20);
  ended[1]?.();
  vi.advanceTimersByTime(200);
  expect(ticksIn(2000)).toBe(30);
  stop();
});
