import { appError, type Outcome } from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import type { Confirmation } from '../../shared/ports/desktop.ts';
import type { AskSystemProxy, Sockets } from '../../shared/ports/sockets.ts';
import { createClientCodec, encodeOlderChatRequest } from '../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { type Endpoint, secretsOf } from '../../shared/settings/endpoint.ts';
import { defaultGatewayOptions, type GatewayOptions } from '../gateway/gateway-options.ts';
import { type Gateway, openGateway, recordGateway } from '../gateway/gateway.ts';
import { gatewaySockets } from '../gateway/in-process-sockets.ts';
import { loadDemoSpeech } from '../platform/files/demo-speech.ts';
import { createSecretFile } from '../platform/files/secret-file.ts';
import { serveGateway } from '../platform/gateway/gateway-server.ts';
import { makeOwnCertificate } from '../platform/gateway/own-certificate.ts';
import { openSessionLogs } from '../platform/gateway/session-log.ts';
import { askSystemBy } from '../platform/net/system-network.ts';
import { bufferBase64 } from '../platform/system/base64-sha256.ts';
import { EndpointConnector } from '../settings/servers/endpoint-connector.ts';
import { EndpointStore } from '../settings/servers/endpoint-store.ts';
import { type ProxyChoice, ProxyStore } from '../settings/servers/proxy-store.ts';
import type { Keychain } from '../settings/servers/secrets.ts';
import { ServerAdmission } from '../settings/servers/server-admission.ts';
import { ServerPaces } from '../settings/servers/server-memory.ts';
import { createSettingsHandlers } from '../settings/settings-handlers.ts';
import { SettingsStore } from '../settings/settings-store.ts';
import { SpokenTexts } from '../settings/spoken-texts.ts';
import { ServerLimits } from '../talk/server-limits.ts';
import { lazySockets } from '../talk/session/open-sockets.ts';
import { Sessions } from '../talk/sessions.ts';
import { WireWatcher } from '../talk/wire-watcher.ts';
import type { Machine } from './machine.ts';
import { resourcesFolder } from './resources.ts';

export interface ServerParts {
  readonly gateway: Pick<EmbeddedGateway, 'open' | 'serve'>;
  /** Of Parley and of what runs it, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** The system's, where tokens are stored. */
  readonly keychain?: Keychain | undefined;
  /** Where the system can be asked; else the environment says. */
  readonly askSystemProxy?: AskSystemProxy | undefined;
  readonly confirm?: Confirmation | undefined;
}

/** What a person has set, the servers they talk to, and the sessions with them. */
export class Servers {
  readonly gateway: ServerParts['gateway'];
  readonly settings: SettingsStore;
  readonly texts: SpokenTexts;
  readonly endpoints: EndpointStore;
  readonly proxy: ProxyStore;
  readonly wire: WireWatcher;
  readonly connector: EndpointConnector;
  readonly sessions: Sessions;
  readonly paces: ServerPaces;
  readonly limits: ServerLimits;
  /** For those who play a server's part. */
  readonly serverCodec = createServerCodec(bufferBase64);
  readonly clientCodec = createClientCodec(bufferBase64);
  /** Real connections to a server, by the proxy that is set or that was said. */
  readonly connectTo: (endpoint: Endpoint, said?: ProxyChoice) => Sockets;
  readonly #admission: ServerAdmission;
  readonly #machine: Machine;

  constructor(machine: Machine, parts: ServerParts) {
    const { clock, random, log, lifetime, serverMemory: memory } = machine;
    this.#machine = machine;
    this.gateway = parts.gateway;
    this.settings = new SettingsStore({
      file: machine.stateFile('settings'),
      lastGood: machine.stateFile('settings.last-good'),
      clock,
    });
    this.texts = new SpokenTexts(this.settings);
    this.#admission = new ServerAdmission({ settings: this.settings, confirm: parts.confirm });
    const secrets = createSecretFile(machine.stateFile('tokens'), parts.keychain);
    const store = this.settings;
    this.endpoints = new EndpointStore({ store, secrets, random });
    const askSystem = askSystemBy(parts.askSystemProxy);
    this.proxy = new ProxyStore({ store, secrets, askSystem });
    lifetime.add(store.settled, 'the settings');
    lifetime.add(this.endpoints.end, 'servers and tokens');
    lifetime.add(this.proxy.end, 'the proxy');
    this.#tellProblems();

    this.connectTo = (endpoint, said) => machine.openSockets(endpoint, this.proxy.proxies(said));
    this.wire = new WireWatcher({ clock, post: machine.notices.post });
    this.connector = new EndpointConnector({
      clock,
      codec: this.clientCodec,
      endpoints: this.endpoints,
      embeddedGateway: () => parts.gateway.open(),
      connectTo: this.connectTo,
      watchSockets: (sockets, endpoint) =>
        this.wire.watch(sockets, endpoint === undefined ? [] : secretsOf(endpoint)),
    });
    this.paces = new ServerPaces(memory);
    this.limits = new ServerLimits(memory, clock);
    this.sessions = new Sessions({
      clock,
      random,
      log,
      memory,
      codec: this.clientCodec,
      encodeRequest: (question) => encodeOlderChatRequest(question, bufferBase64),
      wallNow: machine.wallClock,
      versions: parts.versions,
    });
    lifetime.add(this.sessions.cut, 'the connections');
  }

  /** Those of a server that is looked up only when somebody connects. */
  socketsOf(id: string): Sockets {
    return lazySockets(async () => {
      const connected = await this.connector.connect(id);
      return connected.ok ? { ok: true, value: connected.value.sockets } : connected;
    });
  }

  settingsHandlers() {
    const { settings, endpoints, connector, proxy, limits } = this;
    return createSettingsHandlers({
      settings,
      endpoints,
      connector,
      proxy,
      admission: this.#admission,
      memoryOf: (address, traits, dialect) => limits.memoryOf(address, traits, dialect),
      post: this.#machine.notices.post,
    });
  }

  #tellProblems(): void {
    const { log } = this.#machine;
    const { settings } = this;
    settings.listen((event) => {
      if (event.kind === 'problem') log.write('warn', describeAppError(event.error));
    });
    // What it would tell is on a terminal only then, which a person mostly does not have.
    log.place?.watch((written) => {
      if (written) settings.reportOver('logUnwritten');
      else settings.report(appError('logUnwritten', { path: log.place?.path ?? '' }));
    });
  }
}

/** How a gateway is reached, and what is kept of who comes. */
export interface GatewayServingOptions {
  /** Pages that may connect; otherwise none may. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Left out, only this machine reaches it. */
  readonly host?: string | undefined;
  /** Over TLS, with a certificate that is made for this run. */
  readonly tls?: boolean | undefined;
  /** Every session's frames are written down in this folder. */
  readonly record?: string | undefined;
}

interface ServedGateway {
  readonly url: string;
  /** Of the certificate, by which it can be trusted. */
  readonly fingerprint?: string | undefined;
}

const loopback = '127.0.0.1';

type GatewayMachine = Pick<
  Machine,
  'clock' | 'wallClock' | 'random' | 'pictures' | 'log' | 'lifetime'
>;

/** The gateway that Parley carries: what is not chosen is as it usually is. */
export class EmbeddedGateway {
  readonly #machine: GatewayMachine;

  constructor(machine: GatewayMachine) {
    this.#machine = machine;
  }

  /** Reached in this process, without a network. */
  readonly open = async (options: Partial<GatewayOptions> = {}): Promise<Outcome<Sockets>> => {
    const gateway = await this.#open(options);
    if (!gateway.ok) return gateway;
    return { ok: true, value: gatewaySockets(gateway.value, this.#machine.clock) };
  };

  /** Reached at a port of this machine, until the lifetime ends. */
  readonly serve = async (
    options: Partial<GatewayOptions>,
    port: number,
    door: GatewayServingOptions = {},
  ): Promise<Outcome<ServedGateway>> => {
    const { log, lifetime, wallClock } = this.#machine;
    const gateway = await this.#open(options);
    if (!gateway.ok) return gateway;
    const recorded = await this.#recorded(gateway.value, door.record);
    if (!recorded.ok) return recorded;
    const { allowedOrigins, host = loopback } = door;
    const tls = door.tls === true ? makeOwnCertificate(host, wallClock()) : undefined;
    const served = await serveGateway(recorded.value, { host, port, allowedOrigins, tls, log });
    if (!served.ok) return served;
    lifetime.add(served.value.end, 'the door of the embedded server');
    return { ok: true, value: { url: served.value.url, fingerprint: tls?.fingerprint } };
  };

  async #recorded(gateway: Gateway, folder: string | undefined): Promise<Outcome<Gateway>> {
    if (folder === undefined) return { ok: true, value: gateway };
    const { clock, wallClock, log } = this.#machine;
    const logs = await openSessionLogs(folder, new Date(wallClock()), log);
    return logs.ok ? { ok: true, value: recordGateway(gateway, clock, logs.value) } : logs;
  }

  async #open(options: Partial<GatewayOptions>): Promise<Outcome<Gateway>> {
    const { clock, wallClock, random, pictures, lifetime } = this.#machine;
    const speech = await loadDemoSpeech(resourcesFolder('speech'));
    if (!speech.ok) return speech;
    const gateway = openGateway(
      { ...defaultGatewayOptions, ...options },
      {
        clock,
        random,
        pictures,
        wallClock,
        codec: createServerCodec(bufferBase64),
        speech: speech.value,
      },
    );
    lifetime.add(gateway.end, 'the embedded server');
    return { ok: true, value: gateway };
  }
}
