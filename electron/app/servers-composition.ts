import { appError, type Outcome } from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import type { Confirmation } from '../../shared/ports/desktop.ts';
import type { OpenMethod } from '../../shared/ports/files.ts';
import type { ResolveSystemProxy, Sockets } from '../../shared/ports/sockets.ts';
import { createClientCodec, encodeOlderChatRequest } from '../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { backendContextTokens, defaultChunkMs } from '../../shared/protocol/realtime-api.ts';
import {
  endpointAddress,
  type EndpointProfile,
} from '../../shared/settings/connection-settings.ts';
import { type Endpoint, endpointSecrets } from '../../shared/settings/endpoint.ts';
import { createBackendCodec, type Backend } from '../gateway/backend.ts';
import { GatewayMetrics } from '../gateway/gateway-metrics.ts';
import {
  type BackendDeps,
  defaultGatewayOptions,
  type DemoSpeech,
  type GatewayOptions,
} from '../gateway/gateway-options.ts';
import { type Gateway, openGateway, logGatewayFrames } from '../gateway/gateway.ts';
import { inProcessSockets } from '../gateway/in-process-sockets.ts';
import { loadDemoSpeech } from '../platform/files/demo-speech.ts';
import { createSecretFile } from '../platform/files/secret-file.ts';
import { serveGateway } from '../platform/gateway/gateway-server.ts';
import { makeOwnCertificate } from '../platform/gateway/own-certificate.ts';
import { openSessionLogs } from '../platform/gateway/session-log.ts';
import { createProxyLookup } from '../platform/net/system-network.ts';
import { bufferBase64 } from '../platform/system/base64-sha256.ts';
import { EndpointConnector } from '../settings/servers/endpoint-connector.ts';
import { EndpointStore } from '../settings/servers/endpoint-store.ts';
import { type ProxyChoice, ProxyStore } from '../settings/servers/proxy-store.ts';
import type { Keychain, Secrets } from '../../shared/ports/secrets.ts';
import { ServerAdmission } from '../settings/servers/server-admission.ts';
import { ServerPaces } from '../settings/servers/server-facts.ts';
import { createSettingsHandlers } from '../settings/settings-handlers.ts';
import { SettingsStore } from '../settings/settings-store.ts';
import { withDefaultDevices } from '../talk/talk-sound-devices.ts';
import { CoreTexts } from '../settings/core-texts.ts';
import { ServerLimits } from '../talk/server-limits.ts';
import type { SessionDeps, WrittenSession } from '../talk/session/session.ts';
import { lazySockets, Sessions } from '../talk/sessions.ts';
import { WireWatcher } from '../talk/wire-watcher.ts';
import type { Machine } from './machine.ts';
import { defaultVoice } from './model-server.ts';
import { ModelComposition } from './model-composition.ts';
import { resourcesFolder } from './resources.ts';

export interface ServerParts {
  readonly gateway: Pick<EmbeddedGateway, 'open' | 'serve'>;
  /** Versions of Parley and its runtime, by name. */
  readonly versions: Readonly<Record<string, string>>;
  readonly keychain?: Keychain | undefined;
  /** Reads the system's proxy; without it, environment variables apply. */
  readonly askSystemProxy?: ResolveSystemProxy | undefined;
  readonly confirm?: Confirmation | undefined;
  /** Opens the system's dialogs for files. Without it, the user types the model's paths in the page. */
  readonly openMethod?: OpenMethod | undefined;
  /** Uses the default devices, because Parley crashed with the chosen ones. */
  readonly defaultDevices?: boolean | undefined;
}

/** The servers with their settings and secrets, and what connects to them: proxy, embedded gateway, model. */
export class ServersComposition {
  readonly gateway: ServerParts['gateway'];
  readonly settings: SettingsStore;
  /** The settings for everything that opens sound devices. */
  readonly soundSettings: ReturnType<typeof withDefaultDevices>;
  readonly texts: CoreTexts;
  readonly secrets: Secrets;
  readonly endpoints: EndpointStore;
  readonly proxy: ProxyStore;
  readonly model: ModelComposition;
  readonly wire: WireWatcher;
  readonly connector: EndpointConnector;
  readonly sessions: Sessions;
  readonly paces: ServerPaces;
  readonly limits: ServerLimits;
  /** Decodes the frames of clients, for code that acts as a server. */
  readonly serverCodec = createServerCodec(bufferBase64);
  readonly clientCodec = createClientCodec(bufferBase64);
  /** Opens WebSockets to a server, through the configured proxy or the given one. */
  readonly connectTo: (endpoint: Endpoint, proxyChoice?: ProxyChoice) => Sockets;
  readonly #admission: ServerAdmission;
  readonly #machine: Machine;

  constructor(machine: Machine, parts: ServerParts) {
    const { clock, random, log, lifetime, serverFacts } = machine;
    this.#machine = machine;
    this.gateway = parts.gateway;
    this.settings = new SettingsStore({
      file: machine.stateFile('settings'),
      lastGood: machine.stateFile('settings.last-good'),
      clock,
    });
    this.soundSettings =
      parts.defaultDevices === true ? withDefaultDevices(this.settings) : this.settings;
    this.texts = new CoreTexts(this.settings);
    this.#admission = new ServerAdmission({ settings: this.settings, confirm: parts.confirm });
    const secrets = createSecretFile(machine.stateFile('tokens'), parts.keychain);
    const store = this.settings;
    this.secrets = secrets;
    this.endpoints = new EndpointStore({ store, secrets, random });
    const askSystem = createProxyLookup(parts.askSystemProxy);
    this.proxy = new ProxyStore({ store, secrets, askSystem });
    lifetime.add(store.settled, 'settings');
    lifetime.add(this.endpoints.end, 'server profiles and tokens');
    lifetime.add(this.proxy.end, 'proxy');
    this.#reportProblems();

    this.model = new ModelComposition(machine, {
      settings: store,
      proxies: this.proxy.proxies(),
      openGateway: (backend) => parts.gateway.open({}, [backend]),
      openMethod: parts.openMethod,
    });
    this.connectTo = (endpoint, proxyChoice) =>
      machine.openSockets(endpoint, this.proxy.proxies(proxyChoice));
    this.wire = new WireWatcher({ clock, post: machine.notices.post });
    this.connector = new EndpointConnector({
      clock,
      codec: this.clientCodec,
      endpoints: this.endpoints,
      embeddedGateway: () => parts.gateway.open(),
      computer: this.model.connect,
      connectTo: this.connectTo,
      watchSockets: (sockets, endpoint) =>
        this.wire.watch(sockets, endpoint === undefined ? [] : endpointSecrets(endpoint)),
    });
    this.paces = new ServerPaces(serverFacts);
    this.limits = new ServerLimits(serverFacts, clock);
    this.sessions = new Sessions({
      clock,
      random,
      log,
      serverFacts,
      codec: this.clientCodec,
      encodeRequest: (question) => encodeOlderChatRequest(question, bufferBase64),
      wallNow: machine.wallClock,
      versions: parts.versions,
    });
    lifetime.add(this.sessions.cut, 'server connections');
  }

  /** Sockets that look up the server when they connect. */
  openLazySockets(id: string): Sockets {
    return lazySockets(async () => {
      const connected = await this.connector.connect(id);
      return connected.ok ? { ok: true, value: connected.value.sockets } : connected;
    });
  }

  profile(id: string): EndpointProfile | undefined {
    return this.settings.get().endpoints.list.find((profile) => profile.id === id);
  }

  /** The context of a server's sessions, in tokens; undefined if Parley assumes the documented size. */
  readonly contextTokens = (id: string): number | undefined => {
    const profile = this.profile(id);
    const address = profile && endpointAddress(profile);
    return this.limits.limitsFor({ mode: 'audio', address }, profile?.traits).contextTokens;
  };

  /** Opens a session for written questions to a server. */
  openWrittenSession(id: string, emit: SessionDeps['emit']): WrittenSession {
    const profile = this.profile(id);
    return this.sessions.openWrittenSession(
      { settings: {}, dialect: profile?.dialect ?? 'auto', chunkMs: defaultChunkMs },
      { emit, server: profile && endpointAddress(profile), sockets: this.openLazySockets(id) },
    );
  }

  settingsHandlers() {
    const { settings, endpoints, connector, proxy, limits } = this;
    return createSettingsHandlers({
      settings,
      endpoints,
      connector,
      proxy,
      admission: this.#admission,
      contextOf: (address, traits, dialect) => limits.contextFacts(address, traits, dialect),
      post: this.#machine.notices.post,
    });
  }

  #reportProblems(): void {
    const { log } = this.#machine;
    const { settings } = this;
    settings.listen((event) => {
      if (event.kind === 'problem') log.write('warn', describeAppError(event.error));
    });
    // Reported in the window, because otherwise only a terminal would show it.
    log.folder?.onWritableChange((isWritable) => {
      if (isWritable) settings.reportOver('logNotWritable');
      else settings.report(appError('logNotWritable', { path: log.folder?.path ?? '' }));
    });
  }
}

export interface GatewayServingOptions {
  /** Origins of pages that may connect; none by default. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The loopback address by default. */
  readonly host?: string | undefined;
  /** Serves TLS with a certificate made for this run. */
  readonly tls?: boolean | undefined;
  /** Writes every session's frames to this folder. */
  readonly record?: string | undefined;
  /** Model servers that answer in place of the demonstration. */
  readonly backends?: readonly Backend[] | undefined;
}

interface ServedGateway {
  readonly url: string;
  /** Fingerprint of the certificate, for clients to trust. */
  readonly fingerprint?: string | undefined;
  readonly drain: Gateway['drain'];
}

const loopback = '127.0.0.1';

type GatewayMachine = Pick<
  Machine,
  'clock' | 'wallClock' | 'random' | 'pictures' | 'log' | 'lifetime'
>;

/** Parley's own gateway. Options that are not set have their defaults. */
export class EmbeddedGateway {
  readonly #machine: GatewayMachine;

  constructor(machine: GatewayMachine) {
    this.#machine = machine;
  }

  /** Opens the gateway in this process, without a network. */
  readonly open = async (
    options: Partial<GatewayOptions> = {},
    backends?: readonly Backend[],
  ): Promise<Outcome<Sockets>> => {
    const gateway = await this.#open(options, backends);
    if (!gateway.ok) return gateway;
    return { ok: true, value: inProcessSockets(gateway.value, this.#machine.clock) };
  };

  /** Serves the gateway on a port until the lifetime ends. */
  readonly serve = async (
    options: Partial<GatewayOptions>,
    port: number,
    serving: GatewayServingOptions = {},
  ): Promise<Outcome<ServedGateway>> => {
    const { log, lifetime, wallClock } = this.#machine;
    const gateway = await this.#open(options, serving.backends);
    if (!gateway.ok) return gateway;
    const recorded = await this.#withFrameLog(gateway.value, serving.record);
    if (!recorded.ok) return recorded;
    const { allowedOrigins, host = loopback } = serving;
    const tls = serving.tls === true ? makeOwnCertificate(host, wallClock()) : undefined;
    const served = await serveGateway(recorded.value, { host, port, allowedOrigins, tls, log });
    if (!served.ok) return served;
    lifetime.add(served.value.end, 'gateway listener');
    const { url, drain } = served.value;
    return { ok: true, value: { url, drain, fingerprint: tls?.fingerprint } };
  };

  async #withFrameLog(gateway: Gateway, folder: string | undefined): Promise<Outcome<Gateway>> {
    if (folder === undefined) return { ok: true, value: gateway };
    const { clock, wallClock, log } = this.#machine;
    const logs = await openSessionLogs(folder, new Date(wallClock()), log);
    return logs.ok ? { ok: true, value: logGatewayFrames(gateway, clock, logs.value) } : logs;
  }

  async #open(
    options: Partial<GatewayOptions>,
    servers: readonly Backend[] = [],
  ): Promise<Outcome<Gateway>> {
    const { clock, wallClock, random, pictures, lifetime } = this.#machine;
    const speech = await loadDemoSpeech(resourcesFolder('speech'));
    if (!speech.ok) return speech;
    const gateway = openGateway(
      {
        ...defaultGatewayOptions,
        ...(servers.length > 0 && { contextTokens: backendContextTokens }),
        ...options,
      },
      {
        clock,
        random,
        pictures,
        wallClock,
        codec: createServerCodec(bufferBase64),
        speech: speech.value,
        backends: servers.length === 0 ? undefined : composeBackends(servers, speech.value),
      },
    );
    lifetime.add(gateway.end, 'embedded gateway');
    return { ok: true, value: gateway };
  }
}

function composeBackends(servers: readonly Backend[], speech: DemoSpeech): BackendDeps {
  return {
    servers,
    codec: createBackendCodec(bufferBase64),
    defaultVoice: defaultVoice(speech),
    metrics: new GatewayMetrics(),
  };
}
