import type { DialectMemory } from '../../electron/ports/dialect-memory.ts';
import { displayAddress } from '../../shared/endpoint.ts';

/** Remembers as long as it lives. */
export function fakeDialects(): DialectMemory {
  const known = new Map<string, ReturnType<DialectMemory['recall']>>();
  return {
    recall: (server) => known.get(displayAddress(server)),
    remember: (server, dialect) => {
      known.delete(displayAddress(server));
      known.set(displayAddress(server), dialect);
      const [oldest] = known.keys();
      if (known.size > 100 && oldest !== undefined) known.delete(oldest);
    },
    settled: () => Promise.resolve(),
  };
}
