import { getRandomValues } from 'node:crypto';
import { callListener } from '../../../shared/listeners.ts';
import type { Clock, Random, WallClock } from '../../../shared/ports/clock.ts';

/** A monotonic clock, independent of the time of day. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, run) => {
    // An exception in a timer becomes an unhandled rejection, which is logged, and Parley continues.
    const timer = setTimeout(() => callListener(run, undefined), milliseconds);
    return () => clearTimeout(timer);
  },
};

/** The time of day, which users and time servers can change. */
export const systemWallClock: WallClock = () => Date.now();

/** A timestamp for file names. Stamps sort by time. */
export function stampOf(time: number): string {
  return new Date(time).toISOString().replaceAll(/[:.]/g, '-');
}

/** The local time as the page in that language writes it, with the date unless it is today. */
export function timeOfDay(time: number, language: string): string {
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  const date = isToday ? {} : ({ dateStyle: 'medium' } as const);
  return new Intl.DateTimeFormat(language, { ...date, timeStyle: 'short' }).format(time);
}

/** A cryptographic random number from 0 up to but excluding 1, with 32 bits. */
export const cryptoRandom: Random = () => {
  const [word = 0] = getRandomValues(new Uint32Array(1));
  return word / 2 ** 32;
};

/** The result of a wait that exceeded its time limit. The promise may still settle. */
export const timedOut = Symbol('late');

/** Waits for a promise with a time limit, and keeps the process alive meanwhile. */
export async function withTimeout<Value>(
  milliseconds: number,
  promise: Promise<Value>,
): Promise<Value | typeof timedOut> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(resolve, milliseconds, timedOut);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
