import { watchLifetimes } from '../../shared/lifetime.ts';
import type { Lifetime } from '../../shared/lifetime.ts';

export interface LeakGuard {
  /** Stops watching and returns the names of lifetimes that were not ended. */
  readonly end: () => readonly string[];
}

export function watchLeaks(): LeakGuard {
  const open = new Set<Lifetime>();
  watchLifetimes({
    begun: (lifetime) => {
      open.add(lifetime);
    },
    ended: (lifetime) => {
      open.delete(lifetime);
    },
  });
  return {
    end: () => {
      watchLifetimes(undefined);
      return [...open].map(({ name }) => name);
    },
  };
}
