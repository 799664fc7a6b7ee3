import type { About, HostName } from '../shared/about.ts';
import { Lifetime } from '../shared/lifetime.ts';
import { cryptoRandom } from './adapters/crypto-random.ts';
import { createDialectFile } from './adapters/dialect-file.ts';
import { createFiles } from './adapters/file-storage.ts';
import { createNativeParts } from './adapters/native-parts.ts';
import { createPictures } from './adapters/sharp-pictures.ts';
import { createStreamLog } from './adapters/stream-log.ts';
import { systemClock } from './adapters/system-clock.ts';
import { createWebSockets } from './adapters/web-socket.ts';
import { composeGateway } from './compose-gateway.ts';
import type { GatewayDoors } from './compose-gateway.ts';
import { composeRemoteLine, hearRemote } from './compose-remote.ts';
import { composeSeeing } from './compose-seeing.ts';
import type { SeeingDoors } from './compose-seeing.ts';
import { composeSessions } from './compose-sessions.ts';
import type { SessionDoors } from './compose-sessions.ts';
import { composeSettings } from './compose-settings.ts';
import type { SettingsDoors } from './compose-settings.ts';
import { composeSound } from './compose-sound.ts';
import type { SoundDoors } from './compose-sound.ts';
import { composeDesks } from './compose-desks.ts';
import type { DeskDoors } from './compose-desks.ts';
import { composeVoices } from './compose-voices.ts';
import type { VoiceDoors } from './compose-voices.ts';
import { WireWatch } from './desk/wire-watch.ts';
import type { Endpoint } from '../shared/endpoint.ts';
import { secretsOf } from '../shared/endpoint-secrets.ts';
import { answerWith } from './ipc/answer.ts';
import type { Answer } from './ipc/answer.ts';
import { NoticeBoard } from './ipc/notice-board.ts';
import type { AppWindows } from './ports/app-windows.ts';
import type { Clock } from './ports/clock.ts';
import type { Files } from './ports/files.ts';
import type { Log } from './ports/log.ts';
import type { Pictures, Shareables } from './ports/pictures.ts';
import type { Keychain } from './ports/secrets.ts';
import type { Sockets } from './ports/sockets.ts';
import { createHandlers } from './requests.ts';
import { runtimeVersions } from './runtime-versions.ts';
import { stateFolder } from './state-folder.ts';

/** Parley without a face: what every host opens and shows in its own way. */
export interface Parley
  extends
    GatewayDoors,
    SessionDoors,
    SettingsDoors,
    SoundDoors,
    SeeingDoors,
    DeskDoors,
    VoiceDoors {
  readonly about: About;
  readonly answer: Answer;
  readonly notices: NoticeBoard;
  readonly log: Log;
  readonly clock: Clock;
  readonly files: Files;
  readonly pictures: Pictures;
  /** Real connections to a server. */
  readonly connectTo: (endpoint: Endpoint) => Sockets;
  /** Hosts register here what they open, and end it when they close. */
  readonly lifetime: Lifetime;
}

/** What only some hosts have. */
interface HostParts {
  /** Screens and windows to pick from; a browser asks the person itself. */
  readonly shareables?: Shareables | undefined;
  /** The system's, where tokens are kept. */
  readonly keychain?: Keychain | undefined;
  readonly windows?: AppWindows | undefined;
}

/** The one place where parts are joined; the files beside it are rooms of the same place. */
export function composeParley(
  host: HostName,
  version: string,
  log: Log = createStreamLog(process.stderr),
  { shareables, keychain, windows }: HostParts = {},
): Parley {
  const lifetime = new Lifetime(`parley in the ${host} host`);
  const notices = new NoticeBoard();
  const clock = systemClock;
  const files = createFiles();
  const pictures = createPictures();
  const random = cryptoRandom;
  const folder = stateFolder();
  const dialects = createDialectFile(folder);
  lifetime.add(dialects.settled);
  const about: About = { name: 'Parley', version, host, runtime: runtimeVersions() };
  const gateway = composeGateway({ clock, random, pictures, log, lifetime });
  const sessions = composeSessions({ clock, random, files, dialects });
  const sound = composeSound({ clock, lifetime });
  const basics = { folder, clock, random, log, lifetime };
  const connectTo: Parley['connectTo'] = createWebSockets;
  const wire = new WireWatch({
    clock,
    post: (name, payload) => {
      notices.post(name, payload);
    },
  });
  const settings = composeSettings({
    ...basics,
    ...gateway,
    keychain,
    connectTo,
    watched: (sockets, endpoint) =>
      wire.watch(sockets, endpoint === undefined ? [] : secretsOf(endpoint)),
  });
  const voices = composeVoices({ ...basics, ...sound, settings: settings.settings, files });
  const { seeing, handlers: seeingHandlers } = composeSeeing({
    clock,
    notices,
    shareables,
    settings: settings.settings,
  });
  const rooms = { ...gateway, ...sessions, ...sound, ...settings, ...voices, seeing };
  const desks = composeDesks({ ...basics, ...rooms, files, pictures, notices, wire, windows });
  const handlers = createHandlers({
    about,
    clock,
    nativeParts: createNativeParts(),
    notices,
    desks: desks.handlers,
    seeing: seeingHandlers,
    talk: desks.talkHandlers,
  });
  const answer = answerWith(handlers, log);
  return {
    about,
    answer,
    notices,
    log,
    clock,
    files,
    pictures,
    connectTo,
    lifetime,
    talk: desks.talk,
    tapes: desks.tapes,
    chats: desks.chats,
    silenceChats: desks.silenceChats,
    begin: () => {
      desks.begin();
      void hearRemote(composeRemoteLine(folder), { answer, talk: desks.talk, log, lifetime });
    },
    ...rooms,
  };
}
