import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  counterAt,
  counterCount,
} from '../../../../../electron/platform/portaudio/portaudio-addon.ts';
import { Liveness } from '../../../../../electron/platform/portaudio/portaudio-streams.ts';

const counters = new Float64Array(counterCount);

beforeEach(() => {
  vi.useFakeTimers();
  counters.fill(0);
  counters[counterAt.active] = 1;
});

afterEach(() => {
  vi.useRealTimers();
});

/** A check after some time, with the device’s callback count by then. */
function look(liveness: Liveness, afterMs: number, callbacks: number): boolean {
  vi.advanceTimersByTime(afterMs);
  counters[counterAt.callbacks] = callbacks;
  return liveness.isAlive(counters);
}

it('counts a device as dead within a second without callbacks', () => {
  const liveness = new Liveness();
  expect([look(liveness, 250, 100), look(liveness, 250, 125)]).toEqual([true, true]);
  expect([look(liveness, 250, 125), look(liveness, 250, 125)]).toEqual([true, false]);
});

it('does not count a device as dead after a pause of the machine', () => {
  const liveness = new Liveness();
  look(liveness, 250, 100);
  // The machine paused for two seconds; pending callbacks follow.
  expect(look(liveness, 2000, 100)).toBe(true);
  expect(look(liveness, 100, 130)).toBe(true);
});

it('waits longer for a device that is resuming, but not for one that reports a stop', () => {
  const liveness = new Liveness();
  look(liveness, 250, 3);
  for (let looks = 0; looks < 8; looks += 1) expect(look(liveness, 250, 3)).toBe(true);
  for (let looks = 0; looks < 3; looks += 1) look(liveness, 250, 3);
  expect(look(liveness, 250, 3)).toBe(false);
  counters[counterAt.active] = 0;
  expect(look(liveness, 10, 200)).toBe(false);
});
