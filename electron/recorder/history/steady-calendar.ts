import type { Clock, WallClock } from '../../ports/clock.ts';

/**
 * The calendar's time as of now, which goes on by the clock that nobody sets: what happens in a talk is as long after its
 * beginning as it was, like on its tape, whatever becomes of the calendar meanwhile.
 */
export function steadyCalendar(clock: Pick<Clock, 'now'>, wallNow: WallClock): WallClock {
  const from = clock.now();
  const begunAt = wallNow();
  return () => Math.round(begunAt + clock.now() - from);
}
