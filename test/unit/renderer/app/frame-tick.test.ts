import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onFrameTick, throttleWithVideo } from '../../../../renderer/app/frame-tick.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  // Ends a pending beat before the next test.
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

it('the frame tick runs the other callbacks if one throws', async () => {
  const failed = vi.fn();
  process.once('unhandledRejection', failed);
  const run = vi.fn();
  onFrameTick(() => {
    throw new Error('planted');
  });
  onFrameTick(run);
  vi.advanceTimersByTime(140);
  expect(run).toHaveBeenCalledOnce();
  vi.useRealTimers();
  await new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
});

it('the frame tick keeps its rate if the engine fires timers early', () => {
  const later = setTimeout;
  vi.stubGlobal('setTimeout', (run: () => void, ms: number) => later(run, Math.max(0, ms - 1)));
  let beats = 0;
  const again = (): void => {
    beats += 1;
    onFrameTick(again);
  };
  const stop = onFrameTick(again);
  vi.advanceTimersByTime(2000);
  vi.unstubAllGlobals();
  stop();
  expect(beats).toBeGreaterThan(26);
  expect(beats).toBeLessThanOrEqual(31);
});

it('the frame tick slows to 10 frames a second while a video plays', () => {
  let beats = 0;
  const again = (): void => {
    beats += 1;
    onFrameTick(again);
  };
  const beatsIn = (ms: number): number => {
    const before = beats;
    vi.advanceTimersByTime(ms);
    return beats - before;
  };
  const stop = onFrameTick(again);
  const ended = [throttleWithVideo(), throttleWithVideo()];
  vi.advanceTimersByTime(200);
  expect(beatsIn(2000)).toBe(20);
  ended[0]?.();
  expect(beatsIn(2000)).toBe(20);
  ended[1]?.();
  vi.advanceTimersByTime(200);
  expect(beatsIn(2000)).toBe(30);
  stop();
});
