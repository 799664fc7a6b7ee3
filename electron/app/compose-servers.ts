import { appError, type AppError, type Outcome } from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import { languages } from '../../shared/i18n/languages.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { Files, StateFile } from '../../shared/ports/files.ts';
import type { Log, PlacedLog } from '../../shared/ports/log.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import type { AskSystemProxy, Sockets } from '../../shared/ports/sockets.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { encodeOlderChatRequest } from '../../shared/protocol/encode-client-event.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec, type ServerCodec } from '../../shared/protocol/server-codec.ts';
import type { Endpoint } from '../../shared/settings/endpoint.ts';
import { SincResampler } from '../audio/dsp/sinc-resampler.ts';
import { defaultGatewayOptions, type GatewayOptions } from '../gateway/gateway-options.ts';
import { type Gateway, openGateway, recordGateway } from '../gateway/gateway.ts';
import { gatewaySockets } from '../gateway/in-process-sockets.ts';
import { loadDemoSpeech } from '../platform/files/demo-speech.ts';
import { createStateFile } from '../platform/files/state-file.ts';
import { createTokenFile } from '../platform/files/token-file.ts';
import { unpackTape } from '../platform/files/unpack-tape.ts';
import { serveGateway } from '../platform/gateway/gateway-server.ts';
import { makeOwnCertificate } from '../platform/gateway/own-certificate.ts';
import { openSessionLogs } from '../platform/gateway/session-log.ts';
import { askSystemBy } from '../platform/net/system-network.ts';
import { bufferBase64, startSha256 } from '../platform/system/base64-sha256.ts';
import { systemWallClock } from '../platform/system/system-clock.ts';
import { repairTape } from '../recordings/edit/repair-tape.ts';
import type { TapedTalkFacts } from '../recordings/history/taped-talk-source.ts';
import type { TapeUpsampler } from '../recordings/record/both-sides.ts';
import { openLastingRecorder } from '../recordings/record/lasting-recorder.ts';
import { RecentTape } from '../recordings/record/recent-tape.ts';
import type { HeldTape } from '../recordings/record/recent-tapes.ts';
import type { TapeRecorder } from '../recordings/record/tape-recorder.ts';
import { checkTape, type TapeHealth } from '../recordings/tape/check-tape.ts';
import {
  inTapePlace,
  type LoadedTape,
  loadTapeAt,
  readTapeHeader,
} from '../recordings/tape/open-tape.ts';
import type { TapeHeader } from '../recordings/tape/tape.ts';
import { EndpointConnector } from '../settings/servers/endpoint-connector.ts';
import { EndpointStore } from '../settings/servers/endpoint-store.ts';
import { ProxyStore } from '../settings/servers/proxy-store.ts';
import type { Keychain } from '../settings/servers/secrets.ts';
import type { ServerMemory } from '../settings/servers/server-memory.ts';
import { spokenLanguage } from '../settings/session-settings.ts';
import { SettingsStore } from '../settings/settings-store.ts';
import { Conversation, type OpenConversation } from '../talk/conversation.ts';
import { OlderChatSession } from '../talk/session/older-chat-session.ts';
import { openSessionForChat } from '../talk/session/open-session-for-chat.ts';
import { OpenSockets } from '../talk/session/open-sockets.ts';
import type { SessionEvent } from '../talk/session/session-event.ts';
import type { PendingQuestion } from '../talk/session/session-state.ts';
import {
  openSession,
  type Session,
  type SessionDeps,
  type SessionOptions,
  type WrittenSession,
} from '../talk/session/session.ts';
import { tapedDeps } from '../talk/taped-conversation.ts';
import { resourcesFolder } from './resources.ts';
import { lookAtTape, madeTape } from './tape-files.ts';

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
  const store = new SettingsStore({
    file: stateFile('settings'),
    lastGood: stateFile('settings.last-good'),
    clock,
    loaded: () => void endpoints.takeOver(),
  });
  const secrets = createTokenFile(stateFile('tokens'), keychain);
  const endpoints: EndpointStore = new EndpointStore({ store, secrets, random });
  const proxy = new ProxyStore({ store, secrets, askSystem: askSystemBy(deps.askSystemProxy) });
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
  const { put, remove, setToken, forgetToken, tokenCount, forgetAllTokens } = endpoints;
  const { tokenStorage, open } = endpoints;
  return {
    settings: store,
    endpoints: {
      put,
      remove,
      setToken,
      forgetToken,
      tokenCount,
      forgetAllTokens,
      tokenStorage,
      open,
      connect,
      test,
    },
    proxy,
  };
}

/** The gateway that Parley carries: what is not chosen is as it usually is. */
export interface GatewayServices {
  /** Reached in this process, without a network. */
  readonly embeddedGateway: (options?: Partial<GatewayOptions>) => Promise<Outcome<Sockets>>;
  /** Reached at a port of this machine, until the lifetime ends. */
  readonly serveGateway: (
    options: Partial<GatewayOptions>,
    port: number,
    door?: GatewayServingOptions,
  ) => Promise<Outcome<ServedGateway>>;
}

/** How it is reached, and what is kept of who comes. */
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

export interface ServedGateway {
  readonly url: string;
  /** Of the certificate, by which it can be trusted. */
  readonly fingerprint?: string | undefined;
}

interface ComposeGatewayDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly pictures: Pictures;
  readonly log: Log;
  readonly lifetime: Lifetime;
}

const thisMachine = '127.0.0.1';

export function composeGateway(deps: ComposeGatewayDeps): GatewayServices {
  const { clock, log, lifetime } = deps;
  return {
    embeddedGateway: async (options = {}) => {
      const gateway = await open(options, deps);
      if (!gateway.ok) return gateway;
      return { ok: true, value: gatewaySockets(gateway.value, clock) };
    },
    serveGateway: async (options, port, door = {}) => {
      const gateway = await open(options, deps);
      if (!gateway.ok) return gateway;
      const recorded = await recordedGateway(gateway.value, door.record, deps);
      if (!recorded.ok) return recorded;
      const host = door.host ?? thisMachine;
      const tls = door.tls === true ? makeOwnCertificate(host, systemWallClock()) : undefined;
      const { allowedOrigins } = door;
      const served = await serveGateway(recorded.value, { host, port, allowedOrigins, tls, log });
      if (!served.ok) return served;
      lifetime.add(served.value.end, 'the door of the embedded server');
      return { ok: true, value: { url: served.value.url, fingerprint: tls?.fingerprint } };
    },
  };
}

async function recordedGateway(
  gateway: Gateway,
  folder: string | undefined,
  { clock, log }: ComposeGatewayDeps,
): Promise<Outcome<Gateway>> {
  if (folder === undefined) return { ok: true, value: gateway };
  const logs = await openSessionLogs(folder, new Date(systemWallClock()), log);
  if (!logs.ok) return logs;
  return { ok: true, value: recordGateway(gateway, clock, logs.value) };
}

async function open(
  options: Partial<GatewayOptions>,
  deps: ComposeGatewayDeps,
): Promise<Outcome<Gateway>> {
  const speech = await loadDemoSpeech(resourcesFolder('speech'));
  if (!speech.ok) return speech;
  const gateway = openGateway(
    { ...defaultGatewayOptions, ...options },
    {
      ...deps,
      wallClock: systemWallClock,
      codec: createServerCodec(bufferBase64),
      speech: speech.value,
    },
  );
  deps.lifetime.add(gateway.end, 'the embedded server');
  return { ok: true, value: gateway };
}

/** What is chosen by the person; the rest of a tape's header is known here. */
export type TapeDetails = Omit<TapeHeader, 'format' | 'version' | 'recordedAt'>;

/** Sessions, and the tapes of them. */
export interface SessionServices {
  readonly openSession: (options: SessionOptions, deps: OpenSessionDeps) => Session;
  /** A written conversation, by whichever of two ways its server has for one. */
  readonly openWrittenSession: (
    options: Omit<SessionOptions, 'mode'>,
    deps: OpenSessionDeps,
  ) => WrittenSession;
  /** A spoken conversation, which opens its sessions by itself. */
  readonly openConversation: OpenConversation;
  /** What frames a transcript in the next session, in the language of the settings. */
  readonly carryOverMessages: () => Promise<CoreMessages['carryOver']>;
  /** What asks for the bare words of a sound, in the language of the settings. */
  readonly phrasePrompt: () => Promise<CoreMessages['phrasePrompt']>;
  /** The presets' texts, in the language of the settings. */
  readonly presetMessages: () => Promise<CoreMessages['presets']>;
  /** What stands between the words of a transcript, in the language of the settings. */
  readonly transcriptWords: () => Promise<CoreMessages['transcript']>;
  /** Begins a tape in a new or empty folder; `onError` is called when it cannot be kept. */
  readonly openTape: (
    folder: string,
    facts: TapeDetails,
    onError: (error: AppError) => void,
  ) => Promise<Outcome<TapeRecorder>>;
  /** When a talk on a tape was, with whom and how long, without playing it. */
  readonly lookAtTape: (folder: string) => Promise<Outcome<TapedTalkFacts>>;
  /** Holds the last two minutes in memory, to make a tape of them. */
  readonly holdRecent: (facts: TapeDetails) => HeldTape;
  /** Whether a person asked for what was in memory only to become this tape. */
  readonly isSavedTape: (folder: string) => boolean;
  /** A tape as far as it is whole, to be played: its folder, the file of its lines, or all of it in one file. */
  readonly loadTapeAt: (path: string) => Promise<Outcome<LoadedTape>>;
  /** How much of a tape is whole. */
  readonly checkTape: (path: string) => Promise<Outcome<TapeHealth>>;
  /** Makes a whole tape of what is whole of another one, in a new or empty folder or as one file. */
  readonly repairTape: (path: string, into: string) => Promise<Outcome<TapeHealth>>;
  /** For those who play a server's part. */
  readonly serverCodec: ServerCodec;
}

export interface OpenSessionDeps {
  readonly sockets: Sockets;
  /** The machine's own, where it is left out; on another one a tape is played, which is on no line. */
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly emit: (event: SessionEvent) => void;
  /** The server's address, by which its dialect is remembered. */
  readonly server?: string | undefined;
}

interface ComposeSessionsDeps {
  readonly clock: Clock;
  readonly lifetime: Pick<Lifetime, 'add'>;
  readonly random: Random;
  readonly files: Files;
  readonly servers: ServerMemory;
  readonly log: Log;
  /** The calendar's milliseconds; a virtual clock has none. */
  readonly wallNow: (() => number) | undefined;
  readonly settings: Pick<SettingsServices['settings'], 'get'>;
  /** Of Parley and of what runs it, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Brings the person's sound to the rate of a tape's two voices; the real one where it is left out. */
  readonly upsampler?: (() => TapeUpsampler) | undefined;
}

export function composeSessions(deps: ComposeSessionsDeps): SessionServices {
  const { clock, lifetime, random, files, servers, log, wallNow, settings, versions } = deps;
  const { upsampler = () => new SincResampler(inputRate, outputRate) } = deps;
  const codec = createClientCodec(bufferBase64);
  const open = new OpenSockets();
  lifetime.add(open.cut, 'the connections');
  /** Of a tape that began so many milliseconds ago. */
  const headerOf = (facts: TapeDetails, ago: number): TapeHeader => {
    const recordedAt = new Date((wallNow?.() ?? Date.now()) - ago).toISOString();
    return { format: 'parley-tape', version: 1, ...facts, recordedAt };
  };
  const recalled = (
    given: SessionOptions,
    { server, ...deps }: OpenSessionDeps,
  ): readonly [SessionOptions, SessionDeps] => {
    const known = server === undefined ? {} : servers.recall(server);
    const options: SessionOptions = {
      ...given,
      rememberedDialect: known.dialect,
      voiceForm: given.voiceForm ?? known.voiceForm,
    };
    const all: SessionDeps = {
      // A tape that is left in the middle never says that its connection is over: nobody waits for that.
      sockets: (deps.clock ?? clock) === clock ? open.watch(deps.sockets) : deps.sockets,
      clock: deps.clock ?? clock,
      random: deps.random ?? random,
      codec,
      emit: deps.emit,
      rememberDialect: (dialect, voiceForm) => {
        if (server === undefined) return;
        servers.remember(server, { dialect, ...(voiceForm === undefined ? {} : { voiceForm }) });
      },
    };
    return [options, all];
  };
  // The one place where a written conversation's way is chosen.
  const openWrittenSession: SessionServices['openWrittenSession'] = (given, deps) => {
    const [options, all] = recalled({ ...given, mode: 'chat' }, deps);
    return openSessionForChat(options, {
      emit: deps.emit,
      open: (way, emit) =>
        way === 'olderPath'
          ? new OlderChatSession({ ...all, emit, encodeRequest })
          : openSession(
              way === 'chatMode' ? options : { ...options, rememberedDialect: 'legacy' },
              { ...all, emit },
            ),
    });
  };
  const recording = {
    files,
    clock,
    base64: bufferBase64,
    digest: startSha256,
    upsampler,
  };
  const messages = (): Promise<CoreMessages> =>
    languages[spokenLanguage(settings.get().appearance.language)].core();
  return {
    openSession: (given, deps) => openSession(...recalled(given, deps)),
    openWrittenSession,
    openConversation: (options, { record, ...given }) => {
      const deps = { ...given, clock, random, log, wallNow };
      return new Conversation(
        options,
        record === undefined ? deps : tapedDeps(options, deps, record, versions),
      );
    },
    carryOverMessages: async () => (await messages()).carryOver,
    phrasePrompt: async () => (await messages()).phrasePrompt,
    presetMessages: async () => (await messages()).presets,
    transcriptWords: async () => (await messages()).transcript,
    openTape: (folder, facts, onError) => {
      return openLastingRecorder(folder, headerOf(facts, 0), { ...recording, onError });
    },
    holdRecent: (facts) => {
      const recent = new RecentTape(clock);
      return {
        recorder: recent,
        writeTo: (folder) =>
          recent.writeTo(folder, headerOf(facts, recent.milliseconds), {
            ...recording,
            // The first of them is what it comes to.
            onError: () => undefined,
          }),
      };
    },
    lookAtTape: (folder) => lookAtTape(folder, files),
    isSavedTape: (folder) => readTapeHeader(folder, files)?.saved === true,
    loadTapeAt: (path) => loadTapeAt(path, { files, base64: bufferBase64, unpack: unpackTape }),
    checkTape: (path) =>
      inTapePlace(path, { files, unpack: unpackTape }, (folder, called) =>
        checkTape(folder, { files, digest: startSha256, called }),
      ),
    repairTape: (path, into) =>
      inTapePlace(path, { files, unpack: unpackTape }, (folder, called) =>
        madeTape(into, files, (made) =>
          repairTape(folder, made, { files, base64: bufferBase64, called }),
        ),
      ),
    serverCodec: createServerCodec(bufferBase64),
  };
}

function encodeRequest(question: PendingQuestion): string {
  return encodeOlderChatRequest(question, bufferBase64);
}
