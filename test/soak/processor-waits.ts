import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds that each thread was runnable but had no processor, from the kernel's statistics. */
export function processorWaits(pid: number): ReadonlyMap<string, number> {
  const threads = readdirSync(`/proc/${pid}/task`);
  return new Map(
    threads.flatMap((thread) => {
      try {
        const words = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
        return [[thread, Number(words[1]) / 1e6]] as const;
      } catch {
        return [];
      }
    }),
  );
}

/** The longest wait of any thread since an earlier reading. */
export function maxWait(
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): number {
  return Math.max(0, ...[...now].map(([thread, ms]) => ms - (before.get(thread) ?? 0)));
}
