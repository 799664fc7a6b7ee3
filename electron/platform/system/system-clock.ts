import { getRandomValues } from 'node:crypto';
import { tellSafely } from '../../../shared/listeners.ts';
import type { Clock, Random, WallClock } from '../../../shared/ports/clock.ts';

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

/** The machine's own dice: 32 bits a throw, which nobody can foretell. */
export const cryptoRandom: Random = () => {
  const [word = 0] = getRandomValues(new Uint32Array(1));
  return word / 2 ** 32;
};

/** What did not come in time; it may still come. */
export const timedOut = Symbol('late');

/** Waits so long and no longer; the process stays for it meanwhile. */
export async function withTimeout<Value>(
  milliseconds: number,
  promise: Promise<Value>,
): Promise<Value | typeof timedOut> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(resolve, milliseconds, timedOut);
  });
  try {
    return await Promise.race([promise, waited]);
  } finally {
    clearTimeout(timer);
  }
}
