/**
 * When a worker will be free at the latest, in whole seconds: everyone ahead takes the worker that is
 * free first and keeps it as long as allowed.
 */
export function estimateQueueSeconds(
  workers: number,
  remaining: readonly number[],
  ahead: readonly number[],
): number {
  const idle = Array.from({ length: Math.max(0, workers - remaining.length) }, () => 0);
  let free: readonly number[] = [...remaining.map((seconds) => Math.max(0, seconds)), ...idle];
  for (const seconds of ahead) {
    const [first = 0, ...others] = free.toSorted((a, b) => a - b);
    free = [first + seconds, ...others];
  }
  return Math.ceil(free.length === 0 ? 0 : Math.min(...free));
}
