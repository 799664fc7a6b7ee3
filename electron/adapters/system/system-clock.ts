import { tellSafely } from '../../../shared/listeners.ts';
import type { Clock, WallClock } from '../../ports/clock.ts';

/** The machine's monotonic clock; setting the time of day does not move it. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, run) => {
    // A fault in one timer comes up as a rejection that nobody waits for: logged, and all else goes on.
    const timer = setTimeout(() => {
      tellSafely(run, undefined);
    }, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** The calendar's time, which a person or a time server may change. */
export const systemWallClock: WallClock = () => Date.now();

/** As the name of a file or folder; in the order of such names the later follow the earlier. */
export function stampOf(time: number): string {
  return new Date(time).toISOString().replaceAll(/[:.]/g, '-');
}

/** As clocks show it everywhere; with its date where that was not today. */
export function timeOfDay(time: number): string {
  const at = new Date(time);
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (at.toDateString() === new Date().toDateString()) return clock;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
