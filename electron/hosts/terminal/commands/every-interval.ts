import type { Clock } from '../../../ports/clock.ts';

/**
 * Calls `run` with 1, 2, 3… at whole intervals after `start`. Each call is set against the start
 * and not against the call before, so that lateness never adds up; what was missed is made up for.
 */
export function everyInterval(
  clock: Clock,
  start: number,
  intervalMs: number,
  run: (count: number) => void,
): () => void {
  const plan = { count: 1, ended: false, cancel: (): void => undefined };
  const wake = (): void => {
    while (!plan.ended && clock.now() >= start + plan.count * intervalMs) {
      run(plan.count);
      plan.count += 1;
    }
    if (!plan.ended) sleep();
  };
  const sleep = (): void => {
    const due = start + plan.count * intervalMs;
    plan.cancel = clock.after(Math.max(0, due - clock.now()), wake);
  };
  sleep();
  return () => {
    plan.ended = true;
    plan.cancel();
  };
}
