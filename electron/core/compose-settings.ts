import type { Endpoint } from '../../shared/endpoint.ts';
import { appError } from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/describe-app-error.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { createStateFile } from '../adapters/files/state-file.ts';
import { createTokenFile } from '../adapters/files/token-file.ts';
import { askSystemBy } from '../adapters/proxy/environment-proxy.ts';
import { bufferBase64 } from '../adapters/system/buffer-base64.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { StateFile } from '../ports/files.ts';
import type { PlacedLog } from '../ports/log.ts';
import type { AskSystemProxy } from '../ports/proxies.ts';
import type { Keychain } from '../ports/secrets.ts';
import type { Sockets } from '../ports/sockets.ts';
import { EndpointConnector } from '../settings/endpoint-connector.ts';
import { createEndpointStore } from '../settings/endpoint-store.ts';
import type { EndpointStore } from '../settings/endpoint-store.ts';
import { createProxyStore } from '../settings/proxy-store.ts';
import type { ProxyStore } from '../settings/proxy-store.ts';
import { createSettingsStore } from '../settings/settings-store.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { GatewayServices } from './compose-gateway.ts';

/** What a person has set, and the servers they talk to. */
export interface SettingsServices {
  readonly settings: Omit<SettingsStore, 'edit' | 'report' | 'reportOver' | 'settled'>;
  readonly endpoints: EndpointServices;
  readonly proxy: Omit<ProxyStore, 'end'>;
}

/** No answer of these holds a token or a value, but those of `open` and `connect`, which stay in the core. */
export type EndpointServices = Omit<EndpointStore, 'openDraft' | 'takeOver' | 'end'> &
  Pick<EndpointConnector, 'connect' | 'test'>;

interface Deps extends Pick<GatewayServices, 'embeddedGateway'> {
  readonly folder: string;
  readonly keychain: Keychain | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: PlacedLog;
  readonly lifetime: Lifetime;
  readonly connectTo: (endpoint: Endpoint) => Sockets;
  /** Where the system can be asked; else the environment says. */
  readonly askSystemProxy?: AskSystemProxy | undefined;
  readonly watchSockets?:
    | ((sockets: Sockets, endpoint: Endpoint | undefined) => Sockets)
    | undefined;
  /** By name; of the folder, where it is left out. */
  readonly stateFile?: ((name: string) => StateFile) | undefined;
}

export function composeSettings(deps: Deps): SettingsServices {
  const { folder, keychain, clock, random, log, lifetime } = deps;
  const { stateFile = (name: string) => createStateFile(folder, name) } = deps;
  const store = createSettingsStore({
    file: stateFile('settings'),
    lastGood: stateFile('settings.last-good'),
    clock,
    loaded: () => void endpoints.takeOver(),
  });
  const secrets = createTokenFile(stateFile('tokens'), keychain);
  const endpoints: EndpointStore = createEndpointStore({ store, secrets, random });
  const proxy = createProxyStore({ store, secrets, askSystem: askSystemBy(deps.askSystemProxy) });
  store.listen((event) => {
    if (event.kind === 'problem') log.write('warn', describeAppError(event.error));
  });
  // What it would tell is on a terminal only then, which a person mostly does not have.
  log.place?.watch((written) => {
    if (written) store.reportOver('logUnwritten');
    else store.report(appError('logUnwritten', { path: log.place?.path ?? '' }));
  });
  lifetime.add(store.settled, 'the settings');
  lifetime.add(endpoints.end, 'servers and tokens');
  lifetime.add(proxy.end, 'the proxy');
  const codec = createClientCodec(bufferBase64);
  const { connect, test } = new EndpointConnector({ ...deps, endpoints, codec });
  return { settings: store, endpoints: { ...endpoints, connect, test }, proxy };
}
