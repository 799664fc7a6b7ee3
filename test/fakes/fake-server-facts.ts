import type {
  ServerFacts,
  ServerFactsStore,
} from '../../electron/settings/servers/server-facts.ts';
import { displayAddress } from '../../shared/settings/endpoint.ts';

/** Facts about servers in memory, at most 100, as in the file. */
export function fakeServerFacts(): ServerFactsStore {
  const known = new Map<string, ServerFacts>();
  return {
    recall: (server) => known.get(displayAddress(server)) ?? {},
    remember: (server, facts) => {
      const key = displayAddress(server);
      const merged = { ...known.get(key), ...facts };
      known.delete(key);
      known.set(key, merged);
      const [oldest] = known.keys();
      if (known.size > 100 && oldest !== undefined) known.delete(oldest);
    },
    settled: () => Promise.resolve(),
  };
}
