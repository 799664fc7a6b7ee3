import { readdirSync, readFileSync } from 'node:fs';

/** In milliseconds, by thread: how long a program was ready and the machine had no processor for it, as the kernel counts it. */
export function processorWaits(pid: number): ReadonlyMap<string, number> {
  const threads = readdirSync(`/proc/${pid}/task`);
  return new Map(
    threads.flatMap((thread) => {
      try {
        const words = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
        return [[thread, Number(words[1]) / 1e6]] as const;
      } catch {
        // It has ended meanwhile.
        return [];
      }
    }),
  );
}

/** What the thread that waited most has waited since then. */
export function maxWait(
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): number {
  return Math.max(0, ...[...now].map(([thread, ms]) => ms - (before.get(thread) ?? 0)));
}
