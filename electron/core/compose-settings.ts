import { describeAppError } from '../../shared/i18n/en/describe-app-error.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';
import type { ProfileDraft } from '../../shared/settings/endpoint-profile.ts';
import type { EndpointVerdict } from '../../shared/settings/endpoint-verdict.ts';
import { bufferBase64 } from '../adapters/system/buffer-base64.ts';
import { createStateFile } from '../adapters/files/state-file.ts';
import { createTokenFile } from '../adapters/files/token-file.ts';
import type { GatewayServices } from './compose-gateway.ts';
import type { Endpoint } from '../../shared/endpoint.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Keychain } from '../ports/secrets.ts';
import type { Sockets } from '../ports/sockets.ts';
import { createEndpointStore } from '../settings/endpoint-store.ts';
import type { EndpointStore, OpenedEndpoint } from '../settings/endpoint-store.ts';
import { createSettingsStore } from '../settings/settings-store.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import { testEndpoint } from '../settings/test-endpoint.ts';

/** What a person has set, and the servers they talk to. */
export interface SettingsServices {
  readonly settings: Omit<SettingsStore, 'edit' | 'settled'>;
  readonly endpoints: EndpointServices;
}

/** No answer of these holds a token, but those of `open` and `connect`, which stay in the core. */
export interface EndpointServices extends Omit<EndpointStore, 'openDraft' | 'end'> {
  /** The server's sockets, or those of the demonstration. */
  readonly connect: (id?: string) => Promise<Outcome<ConnectedEndpoint>>;
  /** Tries a server that is being filled in; the demonstration by its id. */
  readonly test: (
    server: ProfileDraft | { readonly id: string },
    mode: Mode,
    token?: string,
  ) => Promise<EndpointVerdict>;
}

interface ConnectedEndpoint extends OpenedEndpoint {
  readonly sockets: Sockets;
}

interface Deps extends Pick<GatewayServices, 'embeddedGateway'> {
  readonly folder: string;
  readonly keychain: Keychain | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly lifetime: Lifetime;
  readonly connectTo: (endpoint: Endpoint) => Sockets;
  /** Lets the inspector see what passes; nothing of `endpoint` that is secret. */
  readonly watchSockets?:
    ((sockets: Sockets, endpoint: Endpoint | undefined) => Sockets) | undefined;
}

export function composeSettings(deps: Deps): SettingsServices {
  const { folder, keychain, clock, random, log, lifetime } = deps;
  const store = createSettingsStore({ file: createStateFile(folder, 'settings'), clock });
  const secrets = createTokenFile(createStateFile(folder, 'tokens'), keychain);
  const keeper = createEndpointStore({ store, secrets, random });
  store.listen((news) => {
    if (news.kind === 'problem') log.write('warn', describeAppError(news.error));
  });
  lifetime.add(store.settled);
  lifetime.add(keeper.end);

  const watched = (sockets: Sockets, endpoint?: Endpoint): Sockets =>
    deps.watchSockets?.(sockets, endpoint) ?? sockets;

  /** One for all: a gateway serves many, and each would have its own recorded speech in memory. */
  let embedded: ReturnType<GatewayServices['embeddedGateway']> | undefined;
  const openDemonstration = async (): Promise<Outcome<Sockets>> => {
    const gateway = await deps.embeddedGateway();
    return gateway.ok ? { ok: true, value: watched(gateway.value) } : gateway;
  };
  const demonstration = async (): Promise<Outcome<Sockets>> => {
    embedded ??= openDemonstration();
    const gateway = await embedded;
    if (!gateway.ok) embedded = undefined;
    return gateway;
  };

  const connected = async (
    opened: Outcome<OpenedEndpoint>,
  ): Promise<Outcome<ConnectedEndpoint>> => {
    if (!opened.ok) return opened;
    const { endpoint } = opened.value;
    const sockets: Outcome<Sockets> =
      endpoint === undefined
        ? await demonstration()
        : { ok: true, value: watched(deps.connectTo(endpoint), endpoint) };
    if (!sockets.ok) return sockets;
    return { ok: true, value: { ...opened.value, sockets: sockets.value } };
  };

  return {
    settings: store,
    endpoints: {
      ...keeper,
      connect: async (id) => connected(await keeper.open(id)),
      test: async (server, mode, token) => {
        const opening = 'url' in server ? keeper.openDraft(server, token) : keeper.open(server.id);
        const found = await connected(await opening);
        if (!found.ok) {
          return { ok: false, kind: 'unreachable', error: found.error };
        }
        const { sockets } = found.value;
        const codec = createClientCodec(bufferBase64);
        return testEndpoint({ sockets, mode, clock, codec });
      },
    },
  };
}
