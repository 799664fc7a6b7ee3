import { readdirSync } from 'node:fs';
import { observeLifetimes } from '../../shared/lifetime.ts';
import type { Counts } from './count-heap.ts';

/** Counts active resources, listeners, and on Linux open files and threads. */
export function countHandles(): Counts {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) {
    const key = `handle ${name}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  for (const name of process.eventNames())
    counts[`listener ${String(name)}`] = process.listenerCount(name);
  counts['open files'] = readdirSync('/proc/self/fd').length;
  counts['threads'] = readdirSync('/proc/self/task').length;
  return counts;
}

/** Starts counting lifetimes that have begun and not ended, by name. */
export function countLifetimes(): () => Counts {
  const counts: Record<string, number> = {};
  const change = (name: string, by: number): void => {
    const key = `lifetime ${name}`;
    counts[key] = (counts[key] ?? 0) + by;
  };
  observeLifetimes({
    onBegin: ({ name }) => {
      change(name, 1);
    },
    onEnd: ({ name }) => {
      change(name, -1);
    },
  });
  return () => ({ ...counts });
}
