import type { Clock, WallClock } from '../../ports/clock.ts';

/** The machine's monotonic clock; setting the time of day does not move it. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** The calendar's time, which a person or a time server may change. */
export const systemWallClock: WallClock = () => Date.now();
