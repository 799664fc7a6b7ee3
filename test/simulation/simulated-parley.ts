import { composeChat } from '../../electron/app/compose-chat.ts';
import { composeHistory } from '../../electron/app/compose-history.ts';
import { composeSound, composeVision } from '../../electron/app/compose-media.ts';
import { composeSessions, composeSettings } from '../../electron/app/compose-servers.ts';
import { type ComposedTalk, composeTalk } from '../../electron/app/compose-talk.ts';
import { NoticeBoard } from '../../electron/app/ipc/request-dispatcher.ts';
import { DeviceLock } from '../../electron/audio/devices/device-lease.ts';
import type { SoundDriver } from '../../electron/audio/devices/sound-driver.ts';
import { keptChatsOf } from '../../electron/recordings/history/chat-history-source.ts';
import { tellHistory } from '../../electron/recordings/history/index-sync.ts';
import { Retention, Trash } from '../../electron/recordings/history/retention.ts';
import { type ServerMemory, ServerPaces } from '../../electron/settings/servers/server-memory.ts';
import type { ConversationEvent } from '../../electron/talk/conversation-event.ts';
import { OwnWordsController } from '../../electron/talk/own-words/own-words-controller.ts';
import { ServerLimits } from '../../electron/talk/server-limits.ts';
import { failure } from '../../shared/errors/app-error.ts';
import { englishCarryOver, englishPresets } from '../../shared/i18n/en/prompts.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import type { Clock, Random, WallClock } from '../../shared/ports/clock.ts';
import type { SystemSleep } from '../../shared/ports/desktop.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import { FakeFrames } from '../fakes/fake-frames.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { plainIndex } from './plain-index.ts';
import { plainUpsampler } from './plain-upsampler.ts';
import type { SimulatedStorage } from './simulated-storage.ts';

/** Nobody wants to have written down what they say. */
const noWriter = {
  add: () => undefined,
  permit: () => undefined,
  forget: () => undefined,
  tryAgain: () => undefined,
  end: () => Promise.resolve(),
};

/** All that one run of Parley knows of its world. */
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
  /** What a conversation tells, on its way to the pages. */
  readonly talkEvent: (event: ConversationEvent) => ConversationEvent;
}

export type SimulatedParley = Awaited<ReturnType<typeof startParley>>;

/**
 * One run of Parley in a simulated world: talks, written conversations, history, sessions, sound, tapes and settings as
 * composed for the desktop. Not in it are the index's file, replay and pages.
 */
export async function startParley(world: ParleyPorts) {
  const { clock, random, storage, servers, wallNow, systemSleep } = world;
  const lifetime = new Lifetime('a simulated parley');
  const log = new FakeLog();
  const notices = new NoticeBoard();
  lifetime.add(notices.listen(world.notice));
  const post: NoticeBoard['post'] = (name, payload) => {
    notices.post(name, payload);
  };
  const { files, talks: store, chats: chatStore } = storage;
  const basics = { folder: '', clock, random, log, lifetime, servers };
  const sound = composeSound({ clock, lifetime, log, driver: world.sound });
  const { settings, endpoints } = composeSettings({
    ...basics,
    keychain: undefined,
    embeddedGateway: () => Promise.resolve({ ok: true, value: world.server }),
    connectTo: () => world.server,
    stateFile: storage.stateFile,
  });
  const sessions = composeSessions({
    ...basics,
    files,
    wallNow,
    settings,
    versions: {},
    upsampler: plainUpsampler,
  });
  const { framePipeline } = composeVision({
    frames: new FakeFrames(),
    clock,
    log,
    notices,
    shareables: undefined,
    settings,
  });
  const retention = new Retention({
    file: storage.stateFile('retention'),
    clock,
    wallNow,
    privacy: () => settings.get().privacy,
    tell: (error) => {
      post('chatProblem', error);
    },
  });
  lifetime.add(() => retention.end());
  const trashOf = (kind: string): Trash =>
    new Trash({ folder: storage.folder(`/trash/${kind}`), days: () => retention.days });
  const history = composeHistory({
    ...basics,
    ...sessions,
    settings,
    notices,
    retention,
    trashOf,
    chatStore,
    chats: () => chatting.chats(),
    tidyChats: () => chatting.tidyChats(),
    chatsFound: () => {
      chatting.chatsFound();
    },
    tapes: () => talking.tapes,
    recent: () => talking.recent,
    wordsOf: () => undefined,
    machine: {
      store,
      folderNamed: (name) => storage.folder(`/${name}`),
      index: plainIndex(),
      wallNow,
    },
  });
  const { keeper, mayBePinned } = history;
  const lock = new DeviceLock({
    talking: () => talking.talk.active,
    silence: () => {
      chatting.silenceChats();
    },
  });
  const paces = new ServerPaces(servers);
  const talking: ComposedTalk = composeTalk({
    ...basics,
    ...sound,
    ...sessions,
    settings,
    endpoints,
    keeper,
    mayBePinned,
    notices,
    framePipeline,
    systemSleep,
    retention,
    trashOf,
    lock,
    paces,
    limits: new ServerLimits(servers, clock),
    sessionSettings: () => Promise.resolve({ ok: true, value: { instructions: 'Be kind.' } }),
    missingVoices: () => [],
    carryOverMessages: () => Promise.resolve(englishCarryOver),
    ownWords: new OwnWordsController({
      clock,
      wallNow,
      wanted: () => 'no',
      keep: () => undefined,
      openWriter: () => noWriter,
    }),
    openConversation: (options, deps) =>
      sessions.openConversation(options, {
        ...deps,
        emit: (event) => {
          deps.emit(world.talkEvent(event));
        },
      }),
    machine: {
      tapes: storage.folder('/tapes'),
      journal: storage.journal,
      wallNow,
    },
  });
  const chatting: ReturnType<typeof composeChat> = composeChat({
    ...basics,
    ...sound,
    ...sessions,
    carryOverMessages: () => Promise.resolve(englishCarryOver),
    presetMessages: () => Promise.resolve(englishPresets),
    settings,
    endpoints,
    notices,
    retention,
    trashOf,
    voiceSound: () => Promise.resolve(failure('fileGone', { path: '' })),
    chatStore: tellHistory(chatStore, history.historySync),
    kept: keptChatsOf(history.history),
    pictures: fakePictures(),
    lock,
    paces,
    machine: { folder: storage.folder('/chats'), wallNow },
  });
  const { talk } = talking;
  await talk.restore();
  const requests = { ...chatting.handlers, ...history.handlers };
  return { talk, settings, history, chats: chatting.chats, requests, sessions, lifetime, log };
}
