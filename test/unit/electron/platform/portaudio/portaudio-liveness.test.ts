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

/** A look after so long, with the device having called so often until then. */
function look(liveness: Liveness, afterMs: number, callbacks: number): boolean {
  vi.advanceTimersByTime(afterMs);
  counters[counterAt.callbacks] = callbacks;
  return liveness.of(counters);
}

it('takes a device that calls no more for gone within a second', () => {
  const liveness = new Liveness();
  expect([look(liveness, 250, 100), look(liveness, 250, 125)]).toEqual([true, true]);
  expect([look(liveness, 250, 125), look(liveness, 250, 125)]).toEqual([true, false]);
});

it('does not take a machine that stood still for a device that has gone', () => {
  const liveness = new Liveness();
  look(liveness, 250, 100);
  // Nobody ran for two seconds; what the device has comes when everybody runs again.
  expect(look(liveness, 2000, 100)).toBe(true);
  expect(look(liveness, 100, 130)).toBe(true);
});

it('waits longer for one that is still waking up, and for none that says it has stopped', () => {
  const liveness = new Liveness();
  look(liveness, 250, 3);
  for (let looks = 0; looks < 8; looks += 1) expect(look(liveness, 250, 3)).toBe(true);
  for (let looks = 0; looks < 3; looks += 1) look(liveness, 250, 3);
  expect(look(liveness, 250, 3)).toBe(false);
  counters[counterAt.active] = 0;
  expect(look(liveness, 10, 200)).toBe(false);
});
