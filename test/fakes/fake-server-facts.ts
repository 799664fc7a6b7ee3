import type { ServerCore } from '../../electron/hosts/terminal/options/connection-options.ts';
import type {
  ServerFacts,
  ServerFactsStore,
} from '../../electron/settings/servers/server-facts.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { EndpointProfile } from '../../shared/settings/connection-settings.ts';
import { displayAddress, type Endpoint } from '../../shared/settings/endpoint.ts';
import { defaultSettings } from '../../shared/settings/settings.ts';
import { FakeFiles } from './fake-files.ts';
import { FakeSockets } from './fake-sockets.ts';

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

/** A fake core for terminal commands, with the servers of the default settings and configured ones. */
export function namedServers(
  configured: readonly (readonly [EndpointProfile, Endpoint])[] = [],
): ServerCore {
  const { endpoints } = defaultSettings;
  const list = [...endpoints.list, ...configured.map(([profile]) => profile)];
  const sockets = new FakeSockets();
  return {
    files: new FakeFiles(),
    connectTo: () => sockets,
    embeddedGateway: () => Promise.resolve({ ok: true, value: sockets }),
    computerModel: {
      load: () => Promise.resolve({ ok: true, value: sockets }),
      listen: () => () => undefined,
      minPauseMs: () => 0,
    },
    settings: { get: () => ({ ...defaultSettings, endpoints: { ...endpoints, list } }) },
    endpoints: {
      open: (id) => {
        const [profile = list.find((other) => other.id === id), endpoint] =
          configured.find(([other]) => other.id === id) ?? [];
        return Promise.resolve(
          profile === undefined
            ? failure('tokenGone', { name: String(id) })
            : { ok: true, value: { profile, endpoint } },
        );
      },
    },
  };
}
