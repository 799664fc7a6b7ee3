import type { AudioComposition } from '../../electron/app/audio-composition.ts';
import type { CursorHost } from '../../electron/app/cursor-composition.ts';
import { NoticeBoard } from '../../electron/app/ipc/request-dispatcher.ts';
import { type Machine, thisMachine } from '../../electron/app/machine.ts';
import { Parley } from '../../electron/app/parley.ts';
import { openTapeTools, Tapes } from '../../electron/app/recordings-composition.ts';
import {
  type EmbeddedGateway,
  ServersComposition,
} from '../../electron/app/servers-composition.ts';
import { DeviceLock } from '../../electron/audio/devices/device-lease.ts';
import type { SoundDevice } from '../../electron/audio/devices/sound-driver.ts';
import { SincResampler } from '../../electron/audio/dsp/sinc-resampler.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { CoreTexts } from '../../electron/settings/core-texts.ts';
import type { ServerFactsStore } from '../../electron/settings/servers/server-facts.ts';
import type { GlobalKeyBackend } from '../../electron/talk/keys/global-key-backend.ts';
import { Sessions } from '../../electron/talk/sessions.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import type {
  Notice,
  NoticeName,
  Notices,
  RequestInput,
  RequestName,
  RequestValue,
} from '../../shared/ipc/contract.ts';
import { OpenPage, type Page } from '../../shared/ipc/page.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import type { Clock, Random, WallClock } from '../../shared/ports/clock.ts';
import type { Confirmation } from '../../shared/ports/desktop.ts';
import type { Files, SaveMethod } from '../../shared/ports/files.ts';
import type { Frames, Pictures } from '../../shared/ports/pictures.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import { createClientCodec, encodeOlderChatRequest } from '../../shared/protocol/client-codec.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import type { Endpoint } from '../../shared/settings/endpoint.ts';
import { defaultSettings } from '../../shared/settings/settings.ts';
import { FakeDevices } from './fake-devices.ts';
import { FakeLog } from './fake-log.ts';
import { FakeNativeLibraries } from './fake-native-libraries.ts';
import { FakeFrames, fakePictures } from './fake-pictures.ts';
import { FakeKeychain } from './fake-secrets.ts';
import { fakeServerFacts } from './fake-server-facts.ts';
import { FakeSockets } from './fake-sockets.ts';
import { fakeBuiltIn } from './fake-sound-driver.ts';
import { flushPromises } from './promises.ts';
import { seeded } from './seeded.ts';

const about = { name: 'Parley', version: '1.2.3', host: 'terminal', runtime: [] } as const;

interface CoreOverrides {
  readonly connectTo?: (endpoint: Endpoint) => Sockets;
  readonly embeddedGateway?: EmbeddedGateway['open'];
  readonly globalKeys?: readonly GlobalKeyBackend[];
  readonly confirm?: Confirmation;
  readonly saveMethod?: SaveMethod;
  readonly cursor?: CursorHost;
  readonly pictures?: Pictures;
  /** The real one by default. */
  readonly wallClock?: WallClock;
  readonly defaultDevices?: boolean;
}

/** The whole core, with fake devices, network and keychain, and real files. */
export function coreWithFakes(
  folder: string,
  clock: Clock = systemClock,
  {
    connectTo,
    embeddedGateway,
    globalKeys,
    confirm,
    saveMethod,
    cursor,
    pictures = fakePictures(),
    wallClock,
    defaultDevices,
  }: CoreOverrides = {},
) {
  const lifetime = new Lifetime('core under test');
  const notices = new NoticeBoard();
  const posted: Notice[] = [];
  notices.listen((notice) => posted.push(notice));
  const devices = new FakeDevices(clock);
  const sockets = new FakeSockets();
  const log = new FakeLog();
  const machine: Machine = {
    ...thisMachine(lifetime, folder, log),
    clock,
    ...(wallClock !== undefined && { wallClock }),
    notices,
    random: seeded(7),
    serverFacts: fakeServerFacts(),
    openSockets: connectTo ?? (() => sockets),
    pictures,
    nativeLibraries: new FakeNativeLibraries({}),
  };
  const listed: SoundDevice[] = [fakeBuiltIn];
  let deviceLists = 0;
  const audio: AudioComposition = {
    driver: {
      devices: () => {
        deviceLists += 1;
        return Promise.resolve({ ok: true, value: [...listed] });
      },
    },
    lock: new DeviceLock(),
    devices,
    roomPhrase: () => Promise.resolve({ ok: true, value: new Float32Array(24_000) }),
  };
  const servers = new ServersComposition(machine, {
    gateway: {
      open: embeddedGateway ?? (() => Promise.resolve({ ok: true, value: sockets })),
      serve: () => Promise.reject(new Error('nothing is served here')),
    },
    versions: {},
    keychain: new FakeKeychain(),
    confirm,
    defaultDevices,
  });
  const parley = new Parley(about, machine, servers, audio, {
    globalKeys,
    saveMethod,
    cursor,
    confirm,
  });
  const { answer } = parley;
  const page = new OpenPage();

  return {
    parley,
    talk: parley.talk.controller,
    tapes: parley.recordings.tapes,
    history: parley.recordings.library,
    chats: parley.chats.opener.controller,
    settings: servers.settings,
    endpoints: servers.endpoints,
    framePipeline: parley.vision.framePipeline,
    begin: () => {
      parley.begin();
    },
    answer,
    devices,
    listed,
    deviceLists: () => deviceLists,
    lifetime,
    log,
    notices,
    page,
    posted,
    sockets,
    payloads: <Name extends NoticeName>(name: Name): readonly Notices[Name][] =>
      posted
        .filter((notice) => notice.name === name)
        .map(({ payload }) => payload as Notices[Name]),
    /** Returns the value, and throws a refusal's sentence. */
    ask: async <Name extends RequestName>(
      name: Name,
      input: RequestInput<Name>,
      from: Page = page,
    ): Promise<RequestValue<Name>> => {
      const reply = await answer(name, input, from);
      if (!reply.ok) throw new Error(`refused: ${describeAppError(reply.error)}`);
      return reply.value as RequestValue<Name>;
    },
    settle: flushPromises,
  };
}

interface SessionCoreOptions {
  readonly clock: Clock;
  readonly files: Files;
  readonly random?: Random;
  readonly memory?: ServerFactsStore;
  readonly frames?: Frames;
  readonly versions?: Readonly<Record<string, string>>;
}

/** A part of the core for terminal commands: sessions and tapes, without servers, devices or settings. */
export function sessionCore({
  clock,
  files,
  random = seeded(1),
  memory = fakeServerFacts(),
  frames = new FakeFrames(),
  versions = {},
}: SessionCoreOptions) {
  const clientCodec = createClientCodec(bufferBase64);
  const serverCodec = createServerCodec(bufferBase64);
  const sessions = new Sessions({
    clock,
    random,
    serverFacts: memory,
    versions,
    log: new FakeLog(),
    codec: clientCodec,
    encodeRequest: (question) => encodeOlderChatRequest(question, bufferBase64),
    // A virtual clock has no calendar.
    wallNow: undefined,
  });
  const texts = new CoreTexts({ get: () => defaultSettings });
  const upsampler = () => new SincResampler(inputRate, outputRate);
  const tapes = new Tapes(
    { clock, files, frames, upsampler, wallClock: Date.now },
    { sessions, texts, serverCodec },
  );
  return {
    clock,
    files,
    serverCodec,
    openSession: sessions.openSession,
    openWrittenSession: sessions.openWrittenSession,
    openConversation: sessions.openConversation,
    cut: sessions.cut,
    carryOverMessages: texts.carryOverMessages,
    presetMessages: texts.presetMessages,
    openTape: tapes.archive.openTape,
    loadTapeAt: tapes.archive.loadTapeAt,
    openExport: tapes.exports.openExport,
    tapeTools: () =>
      Promise.resolve(openTapeTools({ files, frames }, { serverCodec, clientCodec }, tapes)),
  };
}
