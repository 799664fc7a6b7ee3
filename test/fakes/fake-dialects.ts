import type { DialectMemory } from '../../electron/ports/dialect-memory.ts';
import { shownAddress } from '../../shared/endpoint.ts';

/** Remembers as long as it lives. */
export function fakeDialects(): DialectMemory {
  const known = new Map<string, ReturnType<DialectMemory['recall']>>();
  return {
    recall: (server) => known.get(shownAddress(server)),
    remember: (server, dialect) => {
      known.delete(shownAddress(server));
      known.set(shownAddress(server), dialect);
      const [oldest] = known.keys();
      if (known.size > 100 && oldest !== undefined) known.delete(oldest);
    },
    settled: () => Promise.resolve(),
  };
}
