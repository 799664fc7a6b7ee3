import type { About, HostName } from '../../shared/about.ts';
import { describeError } from '../../shared/describe-error.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import { cryptoRandom } from '../adapters/system/crypto-random.ts';
import { createServerMemoryFile } from '../adapters/files/server-memory-file.ts';
import { createFiles } from '../adapters/files/file-storage.ts';
import { createNativeParts } from '../adapters/system/native-parts.ts';
import { systemClock, systemWallClock } from '../adapters/system/system-clock.ts';
import { createWebSockets } from '../adapters/web-socket.ts';
import { composeGateway } from './compose-gateway.ts';
import { composeLog } from './compose-log.ts';
import type { GatewayServices } from './compose-gateway.ts';
import { composeExport } from './compose-export.ts';
import type { ExportServices } from './compose-export.ts';
import { composeReport } from './compose-report.ts';
import { composePictures } from './compose-pictures.ts';
import { composeRemoteChannel } from './compose-remote.ts';
import { composeVision } from './compose-vision.ts';
import type { VisionServices } from './compose-vision.ts';
import { composeSessions } from './compose-sessions.ts';
import type { SessionServices } from './compose-sessions.ts';
import { composeSettings } from './compose-settings.ts';
import type { SettingsServices } from './compose-settings.ts';
import { AdaptiveCanceller } from '../sound/echo/adaptive-canceller.ts';
import { composeSound } from './compose-sound.ts';
import type { SoundServices } from './compose-sound.ts';
import { composeControllers } from './compose-controllers.ts';
import type { ControllerServices } from './compose-controllers.ts';
import { composeVoices } from './compose-voices.ts';
import type { VoiceServices } from './compose-voices.ts';
import type { ReportMaker } from '../controllers/report-maker.ts';
import { WireWatcher } from '../controllers/wire-watcher.ts';
import type { Endpoint } from '../../shared/endpoint.ts';
import { secretsOf } from '../../shared/endpoint-secrets.ts';
import { listenForRemoteCommands } from '../ipc/remote-actions.ts';
import { createRequestDispatcher } from '../ipc/request-dispatcher.ts';
import type { RequestDispatcher } from '../ipc/request-dispatcher.ts';
import { NoticeBoard } from '../ipc/notice-board.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Files } from '../ports/files.ts';
import type { Log, PlacedLog } from '../ports/log.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Pictures } from '../ports/pictures.ts';
import type { Sockets } from '../ports/sockets.ts';
import type { HostParts } from './host-parts.ts';
import { createRequestHandlers } from './request-handlers.ts';
import { runtimeVersions } from '../adapters/system/runtime-versions.ts';
import type { ProxyChoice } from '../settings/proxy-store.ts';
import { stateFolder } from '../adapters/files/state-folder.ts';
import { sweepScratch } from '../adapters/files/scratch-folder.ts';
import { tightenFolder } from '../adapters/files/tighten-folder.ts';

/** The core: what every host opens and shows in its own way. */
export interface Parley
  extends
    GatewayServices,
    SessionServices,
    SettingsServices,
    SoundServices,
    ExportServices,
    VisionServices,
    ControllerServices,
    VoiceServices {
  readonly about: About;
  readonly answer: RequestDispatcher;
  readonly notices: NoticeBoard;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  readonly pictures: Pictures;
  /** What tells of a problem, put together to be looked at. */
  readonly reports: ReportMaker;
  /** Real connections to a server, by the proxy that is set or that was said. */
  readonly connectTo: (endpoint: Endpoint, said?: ProxyChoice) => Sockets;
  /** Opens a tape that the person pointed at, outside the page; how that goes is posted. */
  readonly openTapeAt: (path: string) => Promise<Outcome<undefined>>;
  /** Hosts register here what they open, and end it when they close. */
  readonly lifetime: Lifetime;
}

/** The composition root: the one place where parts are joined, with the files beside it. */
export function composeParley(
  host: HostName,
  version: string,
  log: PlacedLog = composeLog(),
  {
    shareables,
    keychain,
    askSystemProxy,
    startPictureProcess,
    startSoundProbe,
    ...hostParts
  }: HostParts = {},
): Parley {
  const lifetime = new Lifetime(`parley in the ${host} host`);
  const notices = new NoticeBoard((error) => {
    log.write('error', `a notice was not passed on: ${describeError(error)}`);
  });
  const clock = systemClock;
  const files = createFiles();
  const { pictures, frames, part } = composePictures(startPictureProcess, lifetime);
  const random = cryptoRandom;
  const folder = stateFolder();
  tightenFolder(folder);
  const swept = sweepScratch();
  lifetime.add(() => swept, 'the sweep of scratch folders');
  const servers = createServerMemoryFile(folder);
  lifetime.add(servers.settled, 'what is remembered of servers');
  const about: About = { name: 'Parley', version, host, runtime: runtimeVersions() };
  const gateway = composeGateway({ clock, random, pictures, log, lifetime });
  const sound = composeSound({
    clock,
    lifetime,
    log,
    startSoundProbe,
    openEchoCanceller: () => new AdaptiveCanceller(),
    enhancement: () => settings.settings.get().audio,
    echoMode: () => settings.settings.get().audio.echo,
  });
  const basics = { folder, clock, random, log, lifetime, servers };
  const connectTo: Parley['connectTo'] = (endpoint, said) =>
    createWebSockets(endpoint, {}, settings.proxy.proxies(said));
  const wire = new WireWatcher({
    clock,
    post: (name, payload) => {
      notices.post(name, payload);
    },
  });
  const settings = composeSettings({
    ...basics,
    ...gateway,
    keychain,
    askSystemProxy,
    connectTo: (endpoint) => connectTo(endpoint),
    watchSockets: (sockets, endpoint) =>
      wire.watch(sockets, endpoint === undefined ? [] : secretsOf(endpoint)),
  });
  const sessions = composeSessions({
    clock,
    lifetime,
    random,
    files,
    servers,
    log,
    wallNow: systemWallClock,
    settings: settings.settings,
    versions: versionsOf(about),
  });
  const exports = composeExport({ ...sessions, clock, files, frames });
  const voices = composeVoices({ ...basics, ...sound, settings: settings.settings });
  const { framePipeline, handlers: seeingHandlers } = composeVision({
    frames,
    clock,
    log,
    notices,
    shareables,
    settings: settings.settings,
  });
  const nativeParts = createNativeParts(undefined, part);
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
    ...gateway,
    ...sessions,
    ...sound,
    ...settings,
    ...voices,
    framePipeline,
  };
  const controllers = composeControllers({
    ...basics,
    ...services,
    files,
    pictures,
    notices,
    wire,
    ...hostParts,
  });
  const handlers = createRequestHandlers({
    about,
    clock,
    nativeParts,
    notices,
    controllers: controllers.handlers,
    vision: seeingHandlers,
    talk: controllers.talk.handlers,
  });
  const answer = createRequestDispatcher(handlers, log, notices);
  return {
    about,
    answer,
    notices,
    log,
    clock,
    random,
    files,
    pictures,
    connectTo,
    lifetime,
    talk: controllers.talk,
    tapes: controllers.tapes,
    history: controllers.history,
    chats: controllers.chats,
    silenceChats: controllers.silenceChats,
    links: controllers.links,
    linkSwitch: controllers.linkSwitch,
    updates: controllers.updates,
    openTapeAt: controllers.openTapeAt,
    begin: () => {
      controllers.begin();
      void listenForRemoteCommands(composeRemoteChannel(folder), {
        answer,
        openTapeAt: controllers.openTapeAt,
        talk: controllers.talk,
        linkSwitch: controllers.linkSwitch,
        log,
        lifetime,
      });
    },
    ...services,
  };
}

function versionsOf({ name, version, runtime }: About): Readonly<Record<string, string>> {
  return Object.fromEntries([
    [name, version],
    ...runtime.map((part) => [part.name, part.version] as const),
    ['System', `${process.platform} ${process.arch}`],
  ]);
}
