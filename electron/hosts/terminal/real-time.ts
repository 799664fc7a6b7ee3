import type { Clock } from '../../ports.ts';

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
  let count = 1;
  let ended = false;
  let cancel: () => void = () => undefined;
  const wake = (): void => {
    while (!ended && clock.now() >= start + count * intervalMs) {
      run(count);
      count += 1;
    }
    if (!ended) plan();
  };
  const plan = (): void => {
    cancel = clock.after(Math.max(0, start + count * intervalMs - clock.now()), wake);
  };
  plan();
  return () => {
    ended = true;
    cancel();
  };
}
