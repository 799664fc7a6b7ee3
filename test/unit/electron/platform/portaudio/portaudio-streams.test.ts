import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findDevice } from '../../../../../electron/platform/portaudio/portaudio-driver.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import {
  counterAt,
  counterCount,
} from '../../../../../electron/platform/portaudio/portaudio-addon.ts';
import { Liveness } from '../../../../../electron/platform/portaudio/portaudio-streams.ts';

it.each(['default', { name: 'Headset' }] as const)(
  'findDevice reports a missing sound server if the list is empty (%j)',
  (choice) => {
    expect(findDevice([], 'input', choice)).toEqual(failure('soundServerGone'));
    expect(findDevice([], 'output', choice)).toEqual(failure('soundServerGone'));
  },
);

const counters = new Float64Array(counterCount);

beforeEach(() => {
  vi.useFakeTimers();
  counters.fill(0);
  counters[counterAt.active] = 1;
});

afterEach(() => {
  vi.useRealTimers();
});

/** Checks after some time, with the device’s callback count by then. */
function checkAfter(liveness: Liveness, afterMs: number, callbacks: number): boolean {
  vi.advanceTimersByTime(afterMs);
  counters[counterAt.callbacks] = callbacks;
  return liveness.isAlive(counters);
}

it('Liveness counts a device as dead within a second without callbacks', () => {
  const liveness = new Liveness();
  expect([checkAfter(liveness, 250, 100), checkAfter(liveness, 250, 125)]).toEqual([true, true]);
  expect([checkAfter(liveness, 250, 125), checkAfter(liveness, 250, 125)]).toEqual([true, false]);
});

it('Liveness does not count a device as dead after a pause of the machine', () => {
  const liveness = new Liveness();
  checkAfter(liveness, 250, 100);
  // The machine paused for two seconds; pending callbacks follow.
  expect(checkAfter(liveness, 2000, 100)).toBe(true);
  expect(checkAfter(liveness, 100, 130)).toBe(true);
});

it('Liveness waits longer for a device that resumes, but not for one that reports a stop', () => {
  const liveness = new Liveness();
  checkAfter(liveness, 250, 3);
  for (let checks = 0; checks < 8; checks += 1) expect(checkAfter(liveness, 250, 3)).toBe(true);
  for (let checks = 0; checks < 3; checks += 1) checkAfter(liveness, 250, 3);
  expect(checkAfter(liveness, 250, 3)).toBe(false);
  counters[counterAt.active] = 0;
  expect(checkAfter(liveness, 10, 200)).toBe(false);
});
