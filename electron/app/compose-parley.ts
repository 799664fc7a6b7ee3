import { release } from 'node:os';
import { join } from 'node:path';
import type { About, HostName } from '../../shared/app/program.ts';
import type { Outcome } from '../../shared/errors/app-error.ts';
import { describeError } from '../../shared/harmless-text.ts';
import type { ControllerHandlers, Handlers } from '../../shared/ipc/contract.ts';
import type { TalkHandlers } from '../../shared/ipc/talk-ipc.ts';
import type { VisionHandlers } from '../../shared/ipc/vision-ipc.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import type { HostProcesses } from '../../shared/ports/child-process.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { AppWindows, Confirmation, SystemSleep } from '../../shared/ports/desktop.ts';
import type { Files, OpenFolder, SaveWay } from '../../shared/ports/files.ts';
import type { Log, PlacedLog } from '../../shared/ports/log.ts';
import type { NativeParts } from '../../shared/ports/native-libraries.ts';
import type { Pictures, Shareables } from '../../shared/ports/pictures.ts';
import type { AskSystemProxy, Sockets } from '../../shared/ports/sockets.ts';
import { type Endpoint, secretsOf } from '../../shared/settings/endpoint.ts';
import type { SoundDriver } from '../audio/devices/sound-driver.ts';
import { AdaptiveCanceller } from '../audio/echo/adaptive-canceller.ts';
import { createFiles } from '../platform/files/file-storage.ts';
import { sweepScratch } from '../platform/files/scratch-folder.ts';
import { createServerMemoryFile } from '../platform/files/server-memory-file.ts';
import { stateFolder, tightenFolder } from '../platform/files/state-folder.ts';
import { createWebSockets } from '../platform/net/web-socket.ts';
import { createNativeParts, runtimeVersions } from '../platform/system/native-parts.ts';
import { cryptoRandom, systemClock, systemWallClock } from '../platform/system/system-clock.ts';
import type { ProxyChoice } from '../settings/servers/proxy-store.ts';
import type { Keychain } from '../settings/servers/secrets.ts';
import type { GlobalKeyBackend } from '../talk/keys/global-key-backend.ts';
import { createAboutHandlers } from './app-handlers.ts';
import { composeControllers, type ControllerServices } from './compose-controllers.ts';
import {
  composePictures,
  composeSound,
  composeVision,
  composeVoices,
  type SoundServices,
  type VisionServices,
  type VoiceServices,
} from './compose-media.ts';
import { composeExport, type ExportServices, exportTools } from './compose-recordings.ts';
import {
  composeGateway,
  composeSessions,
  composeSettings,
  type GatewayServices,
  type SessionServices,
  type SettingsServices,
} from './compose-servers.ts';
import { composeRemoteChannel, listenForRemoteCommands } from './ipc/remote-actions.ts';
import {
  createRequestDispatcher,
  NoticeBoard,
  type RequestDispatcher,
} from './ipc/request-dispatcher.ts';
import { composeLog, logFolder } from './process-log.ts';
import { reportFacts, ReportMaker } from './reports/report-maker.ts';
import type { RunningPackage } from './updates/installed-updates.ts';
import { WireWatcher } from './wire-watcher.ts';

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
  { shareables, keychain, askSystemProxy, processes, ...hostParts }: HostParts = {},
): Parley {
  const lifetime = new Lifetime(`parley in the ${host} host`);
  const notices = new NoticeBoard((error) => {
    log.write('error', `a notice was not passed on: ${describeError(error)}`);
  });
  const clock = systemClock;
  const files = createFiles();
  const { pictures, frames, part } = composePictures(processes?.startPictures, lifetime);
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
    startSoundProbe: processes?.startSoundProbe,
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
  const voices = composeVoices({ ...basics, devices: sound, settings: settings.settings });
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

/** What only some hosts have. */
interface HostParts {
  /** Screens and windows to pick from; a browser asks the person itself. */
  readonly shareables?: Shareables | undefined;
  /** The system's, where tokens are stored. */
  readonly keychain?: Keychain | undefined;
  /** Where the system can be asked for the proxy of an address. */
  readonly askSystemProxy?: AskSystemProxy | undefined;
  /** A browser host has its page alone, and the person who opened it by its token. */
  readonly confirm?: Confirmation | undefined;
  readonly windows?: AppWindows | undefined;
  /** Where Parley runs from a package, and may become another version. */
  readonly runningPackage?: RunningPackage | undefined;
  readonly systemSleep?: SystemSleep | undefined;
  readonly openFolder?: OpenFolder | undefined;
  /** None in a terminal, which is told a path. */
  readonly saveWay?: SaveWay | undefined;
  /** Devices that were chosen are left alone: Parley could not be started with everything as it is set. */
  readonly defaultDevices?: boolean | undefined;
  /** Without them pictures are decoded here, and sound devices are asked for without a trial. */
  readonly processes?: HostProcesses | undefined;
  /** Ways to hear a key while another program has the keyboard. */
  readonly globalKeys?: readonly GlobalKeyBackend[] | undefined;
}

type Deps = Parameters<typeof createAboutHandlers>[0] & {
  readonly vision: VisionHandlers;
  readonly talk: TalkHandlers;
  readonly controllers: ControllerHandlers;
};

/** What each request of the contract does. */
export function createRequestHandlers({ vision, talk, controllers, ...deps }: Deps): Handlers {
  return { ...controllers, ...createAboutHandlers(deps), ...vision, ...talk };
}

interface ComposeReportDeps
  extends Pick<ExportServices, 'redactTape'>, Pick<SettingsServices, 'settings'> {
  readonly about: About;
  readonly folder: string;
  readonly files: Files;
  readonly nativeParts: NativeParts;
  readonly sound: Pick<SoundDriver, 'devices'>;
}

/** Reports of a problem, out of what this machine knows. */
export function composeReport(deps: ComposeReportDeps): ReportMaker {
  const { about, folder, files, nativeParts, redactTape, settings, sound } = deps;
  return new ReportMaker({
    files,
    tools: exportTools,
    redactTape,
    logPaths: ['parley.log', 'parley.1.log'].map((name) => join(logFolder(folder), name)),
    facts: () =>
      reportFacts({
        about,
        nativeParts,
        sound,
        system: `${process.platform} ${process.arch} ${release()}`,
        settings: () => settings.get(),
        now: () => new Date().toISOString(),
      }),
  });
}
