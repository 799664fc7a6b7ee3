import { Audio } from '../../electron/app/audio.ts';
import { NoticeBoard } from '../../electron/app/ipc/request-dispatcher.ts';
import type { Machine } from '../../electron/app/machine.ts';
import { Parley } from '../../electron/app/parley.ts';
import { Servers } from '../../electron/app/servers.ts';
import type { SoundDriver } from '../../electron/audio/devices/sound-driver.ts';
import { startSha256 } from '../../electron/platform/system/base64-sha256.ts';
import { checkTape } from '../../electron/recordings/tape/inspect-tape.ts';
import type { ServerMemory } from '../../electron/settings/servers/server-memory.ts';
import type { ConversationEvent } from '../../electron/talk/conversation-options.ts';
import type { OpenConversation } from '../../electron/talk/conversation.ts';
import { englishCarryOver, englishPresets } from '../../shared/i18n/en/prompts.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import type { Clock, Random, WallClock } from '../../shared/ports/clock.ts';
import type { SystemSleep } from '../../shared/ports/desktop.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import { FakeFrames } from '../fakes/fake-frames.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { FakeNativeLibraries } from '../fakes/fake-native-libraries.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { fakeVoices } from '../fakes/fake-voices.ts';
import { plainIndex } from './plain-index.ts';
import { plainUpsampler } from './plain-upsampler.ts';
import type { SimulatedStorage } from './simulated-storage.ts';

/** Everything that one process of Parley gets from its world. */
export interface ParleyPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: SimulatedStorage;
  readonly sound: SoundDriver;
  readonly server: Sockets;
  readonly servers: ServerMemory;
  readonly wallNow: WallClock;
  readonly systemSleep: SystemSleep;
  readonly notice: (notice: Notice) => void;
  /** Passes the events of a conversation on to the pages. */
  readonly talkEvent: (event: ConversationEvent) => ConversationEvent;
}

export type SimulatedParley = Awaited<ReturnType<typeof startParley>>;

const about = { name: 'Parley', version: '0', host: 'desktop', runtime: [] } as const;

/** Starts the desktop composition of Parley without pages, the index's file and translated texts. */
export async function startParley(world: ParleyPorts) {
  const { systemSleep } = world;
  const lifetime = new Lifetime('a simulated parley');
  const log = new FakeLog();
  const machine = simulatedMachine(world, lifetime, log);
  lifetime.add(machine.notices.listen(world.notice));
  const servers = simulatedServers(machine, world);
  const audio = new Audio({ clock: world.clock, lifetime, log, driver: world.sound });
  const parley = new Parley(about, machine, servers, audio, { systemSleep });
  Object.assign(parley.voices, {
    sessionSettings: () => Promise.resolve({ ok: true, value: { instructions: 'Be kind.' } }),
  });
  const { recordings } = parley;
  const talk = parley.talk.controller;
  await talk.restore();
  return {
    talk,
    lifetime,
    log,
    settings: servers.settings,
    chats: parley.chats.opener.controller,
    requests: parley.handlers,
    checkTape: (folder: string) => checkTape(folder, { files: machine.files, digest: startSha256 }),
    history: {
      history: recordings.library,
      historySync: recordings.sync,
      talkRecorder: recordings.talkRecorder,
      keptTalks: recordings.talks,
      talkRecordOf: recordings.readTalkRecord,
    },
  };
}

function simulatedMachine(
  { clock, random, storage, sound, server, servers, wallNow }: ParleyPorts,
  lifetime: Lifetime,
  log: FakeLog,
): Machine {
  return {
    folder: '',
    clock,
    wallClock: wallNow,
    random,
    log,
    notices: new NoticeBoard(),
    lifetime,
    files: storage.files,
    stateFile: storage.stateFile,
    dataFolder: (name) => storage.folder(`/${name}`),
    journal: () => storage.journal,
    chatStore: storage.chats,
    talkStore: storage.talks,
    voiceStore: fakeVoices(),
    serverMemory: servers,
    historyIndex: plainIndex(),
    openSockets: () => server,
    pictures: fakePictures(),
    frames: new FakeFrames(),
    nativeLibraries: new FakeNativeLibraries({}),
    soundDriver: sound,
    upsampler: plainUpsampler,
  };
}

function simulatedServers(machine: Machine, { server, talkEvent }: ParleyPorts): Servers {
  const servers = new Servers(machine, {
    gateway: {
      open: () => Promise.resolve({ ok: true, value: server }),
      serve: () => Promise.reject(new Error('nothing is served here')),
    },
    versions: {},
  });
  Object.assign(servers.texts, {
    carryOverMessages: () => Promise.resolve(englishCarryOver),
    presetMessages: () => Promise.resolve(englishPresets),
  });
  const { openConversation } = servers.sessions;
  const heard: OpenConversation = (options, deps) =>
    openConversation(options, {
      ...deps,
      emit: (event) => {
        deps.emit(talkEvent(event));
      },
    });
  Object.assign(servers.sessions, { openConversation: heard });
  return servers;
}
