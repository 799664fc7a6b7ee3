import { composeControllers } from '../../electron/app/compose-controllers.ts';
import { composeVision, composeVoices } from '../../electron/app/compose-media.ts';
import { composeReport, createRequestHandlers } from '../../electron/app/compose-parley.ts';
import { composeExport } from '../../electron/app/compose-recordings.ts';
import {
  composeSessions,
  composeSettings,
  type GatewayServices,
} from '../../electron/app/compose-servers.ts';
import { createRequestDispatcher, NoticeBoard } from '../../electron/app/ipc/request-dispatcher.ts';
import { WireWatcher } from '../../electron/app/wire-watcher.ts';
import type { SoundDevice } from '../../electron/audio/devices/sound-driver.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { createFrames } from '../../electron/platform/pictures/sharp-pictures.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import type { GlobalKeyBackend } from '../../electron/talk/keys/global-key-backend.ts';
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
import type { Clock } from '../../shared/ports/clock.ts';
import type { Confirmation } from '../../shared/ports/desktop.ts';
import type { SaveWay } from '../../shared/ports/files.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import { type Endpoint, secretsOf } from '../../shared/settings/endpoint.ts';
import { FakeDevices } from './fake-devices.ts';
import { FakeLog } from './fake-log.ts';
import { FakeNativeParts } from './fake-native-parts.ts';
import { fakePictures } from './fake-pictures.ts';
import { FakeKeychain } from './fake-secrets.ts';
import { fakeServerMemory } from './fake-server-memory.ts';
import { FakeSockets } from './fake-sockets.ts';
import { fakeBuiltIn } from './fake-sound-driver.ts';
import { flushPromises } from './flush-promises.ts';
import { seeded } from './seeded.ts';

const about = { name: 'Parley', version: '1.2.3', host: 'terminal', runtime: [] } as const;

interface Net {
  readonly connectTo?: (endpoint: Endpoint) => Sockets;
  readonly embeddedGateway?: GatewayServices['embeddedGateway'];
  readonly globalKeys?: readonly GlobalKeyBackend[];
  readonly confirm?: Confirmation;
  readonly saveWay?: SaveWay;
}

/** The whole core behind the contract, with devices, network and keychain faked; files are real. */
export function coreWithFakes(
  folder: string,
  clock: Clock = systemClock,
  { connectTo, embeddedGateway, globalKeys, confirm, saveWay }: Net = {},
) {
  const lifetime = new Lifetime('core under test');
  const notices = new NoticeBoard();
  const posted: Notice[] = [];
  notices.listen((notice) => posted.push(notice));
  const devices = new FakeDevices(clock);
  const sockets = new FakeSockets();
  const log = new FakeLog();
  const files = createFiles();
  const random = seeded(7);
  const servers = fakeServerMemory();
  const basics = { folder, clock, random, log, lifetime, servers };
  const listed: SoundDevice[] = [fakeBuiltIn];
  const sound = {
    sound: { devices: () => Promise.resolve({ ok: true as const, value: [...listed] }) },
    openMicrophone: devices.openMicrophone,
    createSpeaker: devices.createSpeaker,
    openSpeaker: devices.openSpeaker,
    roomPhrase: () => Promise.resolve({ ok: true as const, value: new Float32Array(24_000) }),
  };
  const post: NoticeBoard['post'] = (name, payload) => {
    notices.post(name, payload);
  };
  const wire = new WireWatcher({ clock, post });
  const settings = composeSettings({
    ...basics,
    embeddedGateway: embeddedGateway ?? (() => Promise.resolve({ ok: true, value: sockets })),
    keychain: new FakeKeychain(),
    connectTo: connectTo ?? (() => sockets),
    watchSockets: (line, endpoint) =>
      wire.watch(line, endpoint === undefined ? [] : secretsOf(endpoint)),
  });
  const sessions = composeSessions({
    clock,
    lifetime,
    random,
    files,
    servers,
    log,
    wallNow: () => Date.now(),
    settings: settings.settings,
    versions: {},
  });
  const voices = composeVoices({ ...basics, devices: sound, settings: settings.settings });
  const { framePipeline, handlers } = composeVision({
    frames: createFrames(),
    clock,
    log,
    notices,
    shareables: undefined,
    settings: settings.settings,
  });
  const exports = composeExport({ ...sessions, clock, files, frames: createFrames() });
  const nativeParts = new FakeNativeParts({});
  const reports = composeReport({
    ...basics,
    ...exports,
    ...sound,
    ...settings,
    about,
    files,
    nativeParts,
  });
  const services = {
    ...exports,
    reports,
    ...sessions,
    ...sound,
    ...settings,
    ...voices,
    framePipeline,
  };
  const pictures = fakePictures();
  const controllers = composeControllers({
    ...services,
    ...basics,
    files,
    pictures,
    notices,
    wire,
    globalKeys,
    confirm,
    saveWay,
  });
  const answer = createRequestDispatcher(
    createRequestHandlers({
      about,
      clock,
      nativeParts,
      notices,
      vision: handlers,
      talk: controllers.talk.handlers,
      controllers: controllers.handlers,
    }),
    log,
    notices,
  );
  const page = new OpenPage();

  return {
    ...controllers,
    ...settings,
    answer,
    devices,
    /** What is connected; a test may change it. */
    listed,
    lifetime,
    log,
    notices,
    page,
    posted,
    framePipeline,
    sockets,
    told: <Name extends NoticeName>(name: Name): readonly Notices[Name][] =>
      posted
        .filter((notice) => notice.name === name)
        .map(({ payload }) => payload as Notices[Name]),
    /** The value, or the refusal's sentence thrown. */
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
