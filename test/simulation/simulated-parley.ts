import { DeviceLock } from '../../electron/controllers/device-lock.ts';
import { OwnWordsController } from '../../electron/controllers/own-words-controller.ts';
import { Retention } from '../../electron/controllers/retention.ts';
import { ServerLimits } from '../../electron/controllers/server-limits.ts';
import { ServerPaces } from '../../electron/controllers/server-paces.ts';
import { TalkKeeper } from '../../electron/controllers/talk-keeper.ts';
import { Trash } from '../../electron/controllers/trash.ts';
import { composeSessions } from '../../electron/core/compose-sessions.ts';
import { composeSettings } from '../../electron/core/compose-settings.ts';
import { composeSound } from '../../electron/core/compose-sound.ts';
import { composeTalk } from '../../electron/core/compose-talk.ts';
import { composeVision } from '../../electron/core/compose-vision.ts';
import type { ConversationEvent } from '../../electron/conversation/conversation-event.ts';
import { NoticeBoard } from '../../electron/ipc/notice-board.ts';
import type { Clock, Random, WallClock } from '../../electron/ports/clock.ts';
import type { ServerMemory } from '../../electron/ports/server-memory.ts';
import type { SoundDriver } from '../../electron/ports/sound.ts';
import type { Sockets } from '../../electron/ports/sockets.ts';
import type { SystemSleep } from '../../electron/ports/system-sleep.ts';
import { TalkSource } from '../../electron/recorder/history/talk-source.ts';
import { englishCarryOver } from '../../shared/i18n/en/carry-over.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import { FakeFrames } from '../fakes/fake-frames.ts';
import { FakeLog } from '../fakes/fake-log.ts';
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
 * One run of Parley in a simulated world: the talk, its sessions, sound, tapes and settings as composed for the desktop. Not in
 * it are history's index, written conversations, replay and pages.
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
  const { files, talks: store } = storage;
  const basics = { folder: '', clock, random, log, lifetime, servers };
  const sound = composeSound({ clock, lifetime, log, driver: world.sound });
  const { settings, endpoints } = composeSettings({
    ...basics,
    keychain: undefined,
    embeddedGateway: () => Promise.resolve({ ok: true, value: world.server }),
    connectTo: () => world.server,
    stateFile: storage.stateFile,
  });
  const sessions = composeSessions({ ...basics, files, wallNow, settings, versions: {} });
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
  const texts = new TalkSource(store);
  const keeper = new TalkKeeper({
    store,
    clock,
    wallNow,
    keepTalks: () => settings.get().privacy.keepTalks,
    decide: (keep) => {
      const changed = settings.change({ privacy: { keepTalks: keep ? 'yes' : 'no' } });
      return changed.ok ? { ok: true, value: undefined } : changed;
    },
    addWords: (id, turn) => texts.addWords(id, turn),
    changed: () => undefined,
    trouble: (error) => {
      post('talkTrouble', error);
    },
  });
  lifetime.add(() => keeper.end());
  lifetime.add(
    settings.listen((event) => {
      if (event.kind === 'changed') keeper.settingsChanged();
    }),
  );
  const { talk, tapes } = composeTalk({
    ...basics,
    ...sound,
    ...sessions,
    settings,
    endpoints,
    keeper,
    notices,
    framePipeline,
    systemSleep,
    retention,
    trashOf: (kind) =>
      new Trash({
        folder: storage.folder(`/trash/${kind}`),
        days: () => retention.days,
      }),
    lock: new DeviceLock({ talking: () => talk.active, silence: () => undefined }),
    paces: new ServerPaces(servers),
    limits: new ServerLimits(servers, clock),
    sessionSettings: () => Promise.resolve({ ok: true, value: { instructions: 'Be kind.' } }),
    missingVoices: () => [],
    carryOverMessages: () => Promise.resolve(englishCarryOver),
    ownWords: new OwnWordsController({
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
  await talk.restore();
  return { talk, tapes, settings, keeper, sessions, texts, lifetime, log, post };
}
