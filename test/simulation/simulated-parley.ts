import { AudioComposition } from '../../electron/app/audio-composition.ts';
import { NoticeBoard } from '../../electron/app/ipc/request-dispatcher.ts';
import type { Machine } from '../../electron/app/machine.ts';
import { Parley } from '../../electron/app/parley.ts';
import { ServersComposition } from '../../electron/app/servers-composition.ts';
import type { SoundDriver } from '../../electron/audio/devices/sound-driver.ts';
import { startSha256 } from '../../electron/platform/system/base64-sha256.ts';
import type { HistoryIndex, IndexEntry } from '../../electron/recordings/history/history-index.ts';
import type { TapeUpsampler } from '../../electron/recordings/record/stereo-recorder.ts';
import { checkTape } from '../../electron/recordings/tape/inspect-tape.ts';
import type { ServerFactsStore } from '../../electron/settings/servers/server-facts.ts';
import type { ConversationEvent } from '../../electron/talk/conversation-options.ts';
import type { OpenConversation } from '../../electron/talk/conversation.ts';
import { done } from '../../shared/errors/app-error.ts';
import { englishCarryOver, englishPresets } from '../../shared/i18n/en/prompts.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import type { Clock, Random, WallClock } from '../../shared/ports/clock.ts';
import type { SystemSleep } from '../../shared/ports/desktop.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import { FakeFrames, fakePictures } from '../fakes/fake-pictures.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { FakeNativeLibraries } from '../fakes/fake-native-libraries.ts';
import { fakeVoices } from '../fakes/fake-stores.ts';
import type { SimulatedStorage } from './simulated-storage.ts';
import type { FakeSystemSleep } from '../fakes/fake-system-sleep.ts';
import type { DiskAccess } from './simulated-disk.ts';
import type { SimulatedNetwork } from './simulated-network.ts';
import type { SimulatedSound } from './simulated-sound.ts';
import type { ProcessClock } from './simulated-time.ts';

/** Everything that one process of Parley gets from its world. */
export interface ParleyPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: SimulatedStorage;
  readonly sound: SoundDriver;
  readonly server: Sockets;
  readonly servers: ServerFactsStore;
  readonly wallNow: WallClock;
  readonly systemSleep: SystemSleep;
  readonly notice: (notice: Notice) => void;
  /** Sees each event of a talk before its receiver, which gets the returned event. */
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
  const audio = new AudioComposition({ clock: world.clock, lifetime, log, driver: world.sound });
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
    serverFacts: servers,
    historyIndex: plainIndex(),
    openSockets: () => server,
    pictures: fakePictures(),
    frames: new FakeFrames(),
    nativeLibraries: new FakeNativeLibraries({}),
    soundDriver: sound,
    upsampler: plainUpsampler,
  };
}

function simulatedServers(
  machine: Machine,
  { server, talkEvent }: ParleyPorts,
): ServersComposition {
  const servers = new ServersComposition(machine, {
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

/** Repeats every second sample: the real filter would take most of a simulation's time. */
function plainUpsampler(): TapeUpsampler {
  return {
    convert: (block) => {
      const converted = new Float32Array((block.length * 3) / 2);
      for (let n = 0, to = 0; n < block.length; n += 2, to += 3) {
        const first = block[n] ?? 0;
        converted[to] = first;
        converted[to + 1] = first;
        converted[to + 2] = block[n + 1] ?? 0;
      }
      return converted;
    },
    restart: () => undefined,
  };
}

const keyOf = ({ kind, id }: HistoryRef): string => `${kind} ${id}`;

/** The index of one process in memory only; a new process rebuilds it from the folders. */
function plainIndex(): HistoryIndex {
  const entries = new Map<string, IndexEntry>();
  return {
    known: () =>
      Promise.resolve({
        ok: true,
        value: [...entries.values()].map(({ item: { kind, id }, version }) => ({
          kind,
          id,
          version,
        })),
      }),
    put: (given) => {
      for (const entry of given) entries.set(keyOf(entry.item), entry);
      return Promise.resolve(done);
    },
    remove: (refs) => {
      for (const ref of refs) entries.delete(keyOf(ref));
      return Promise.resolve(done);
    },
    find: ({ match, filter, talks, skip, count }) => {
      const items = [...entries.values()]
        .filter(({ item: { kind } }) => filter.kind === undefined || filter.kind === kind)
        .filter(({ item: { pinned } }) => filter.pinned !== true || pinned)
        .filter(({ item: { id } }) => talks?.includes(id) ?? true)
        .filter(({ words }) => match === undefined || holds(words, match))
        .map(({ item }) => item)
        .toSorted((one, other) => other.at - one.at);
      const value = { items: items.slice(skip, skip + count), total: items.length };
      return Promise.resolve({ ok: true, value });
    },
    clear: () => {
      entries.clear();
      return Promise.resolve(done);
    },
    bytes: () => Promise.resolve({ ok: true, value: 0 }),
    close: () => Promise.resolve(),
  };
}

/** Evaluates the part of the index's query language that Parley uses: required words or prefixes. */
function holds(words: string, match: string): boolean {
  return match.split(' AND ').every((term) => {
    const [, word = '', beginning] = /^"(.*)"(\*)?$/u.exec(term) ?? [];
    return ` ${words} `.includes(beginning === undefined ? ` ${word} ` : ` ${word}`);
  });
}

/** A killed process must end within this many steps of its clock. */
const maxStepsAfterKill = 20_000;

/** One process of Parley in the simulated world. */
export interface SimulatedProcess {
  readonly parley: SimulatedParley;
  readonly clock: ProcessClock;
  readonly access: DiskAccess;
  readonly sound: SimulatedSound;
  readonly line: SimulatedNetwork;
  readonly status: { isRunning: boolean };
  readonly sleep: FakeSystemSleep;
}

/** Kills a process: only its pending disk operations may still take effect. Returns whether it then ended. */
export async function killProcess({
  status,
  access,
  sound,
  line,
  clock,
  parley,
}: SimulatedProcess): Promise<boolean> {
  status.isRunning = false;
  access.kill();
  sound.cut();
  line.hangUp();
  const separate = clock.kill();
  const { ended } = endOf(parley);
  for (let step = 0; !ended.over && step < maxStepsAfterKill; step += 1) {
    if (separate.next === undefined) await new Promise(setImmediate);
    else await separate.step();
  }
  return ended.over;
}

function endOf({ lifetime }: SimulatedParley): { readonly ended: { over: boolean } } {
  const ended = { over: false };
  const over = (): void => {
    ended.over = true;
  };
  lifetime.end().then(over, over);
  return { ended };
}
