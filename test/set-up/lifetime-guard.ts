import { observeLifetimes } from '../../shared/lifetime.ts';
import type { Lifetime } from '../../shared/lifetime.ts';

export interface LeakGuard {
  /** Stops watching and returns the names of lifetimes that were not ended. */
  readonly end: () => readonly string[];
}

export function watchLeaks(): LeakGuard {
  const open = new Set<Lifetime>();
  observeLifetimes({
    onBegin: (lifetime) => {
      open.add(lifetime);
    },
    onEnd: (lifetime) => {
      open.delete(lifetime);
    },
  });
  return {
    end: () => {
      observeLifetimes(undefined);
      return [...open].map(({ name }) => name);
    },
  };
}
