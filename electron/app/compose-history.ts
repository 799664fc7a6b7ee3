import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appError, type Outcome } from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { HistoryHandlers } from '../../shared/ipc/recordings-ipc.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { Clock, WallClock } from '../../shared/ports/clock.ts';
import type { DataFolder, OpenFolder } from '../../shared/ports/files.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { OpenedTalkRecord, TalkRecord } from '../../shared/recordings/talk-record.ts';
import type { ChatController } from '../chat/chat-controller.ts';
import type { ChatStore } from '../chat/stored-chat.ts';
import { createTalkStore } from '../platform/files/conversation-store.ts';
import { createDataFolder } from '../platform/files/data-folder.ts';
import { createStateFile } from '../platform/files/state-file.ts';
import { openHistoryIndex } from '../platform/history/sqlite-history-index.ts';
import { systemWallClock } from '../platform/system/system-clock.ts';
import { chatHistorySource } from '../recordings/history/chat-history-source.ts';
import { createHistoryHandlers, HistoryChanges } from '../recordings/history/history-handlers.ts';
import type { HistoryIndex } from '../recordings/history/history-index.ts';
import { HistoryLibrary } from '../recordings/history/history-library.ts';
import { HistoryRetention } from '../recordings/history/history-retention.ts';
import { IndexSync } from '../recordings/history/index-sync.ts';
import { Retention, Trash } from '../recordings/history/retention.ts';
import { TalkKeeper } from '../recordings/history/talk-keeper.ts';
import type { TalkStore } from '../recordings/history/talk-record-store.ts';
import { TalkSource } from '../recordings/history/talk-source.ts';
import { TapedTalkSource } from '../recordings/history/taped-talk-source.ts';
import type { RecentTapes } from '../recordings/record/recent-tapes.ts';
import type { TalkTapes } from '../recordings/record/talk-tapes.ts';
import type { SessionServices, SettingsServices } from './compose-servers.ts';
import type { NoticeBoard } from './ipc/request-dispatcher.ts';

/** What is kept of talks and written conversations: as it comes, as a list, and until it goes. */
export interface HistoryServices {
  readonly keeper: TalkKeeper;
  readonly history: HistoryLibrary;
  readonly historySync: IndexSync;
  readonly talkRecordOf: (id: string) => Promise<Outcome<TalkRecord>>;
  /** Whether the text of a talk says so; where it cannot be read nobody knows, and it may be. */
  readonly mayBePinned: (id: string) => Promise<boolean>;
  readonly keptTalks: TapedTalkSource;
  /** Puts the person's words right in a talk that is over; none at all take them out. */
  readonly correctWords: (id: string, at: number, text: string) => Promise<Outcome<undefined>>;
}

interface Deps
  extends
    Pick<SettingsServices, 'settings'>,
    Pick<SessionServices, 'lookAtTape'>,
    RetentionServices {
  readonly folder: string;
  readonly clock: Clock;
  readonly notices: NoticeBoard;
  readonly lifetime: Lifetime;
  readonly openFolder?: OpenFolder | undefined;
  readonly chatStore: ChatStore;
  readonly chats: () => Promise<ChatController>;
  readonly tidyChats: () => Promise<void>;
  /** The folders were looked at, and Chat's own list may be another one. */
  readonly chatsFound: () => void;
  readonly tapes: () => TalkTapes;
  readonly recent: () => RecentTapes;
  readonly wordsOf: (id: string) => OpenedTalkRecord['words'];
  /** This machine's own, where it is left out. */
  readonly machine?: HistoryMachine | undefined;
}

/** What the history needs of the machine: a disk, and the calendar. */
interface HistoryMachine {
  readonly store: TalkStore;
  readonly folderNamed: (name: string) => DataFolder;
  readonly index: HistoryIndex;
  readonly wallNow: WallClock;
}

/** Beside the entry, where it was built; sources have none, and the index is held in the same thread then. */
const workerEntry = fileURLToPath(new URL('history-index.js', import.meta.url));

function thisMachine(folder: string): HistoryMachine {
  return {
    store: createTalkStore(folder),
    folderNamed: (name) => createDataFolder(join(folder, name)),
    index: openHistoryIndex(join(folder, 'history'), workerEntry),
    wallNow: systemWallClock,
  };
}

export function composeHistory(deps: Deps): HistoryServices & {
  readonly handlers: HistoryHandlers;
  readonly begin: () => void;
} {
  const { folder, clock, notices, settings, lifetime } = deps;
  const { store, folderNamed, index, wallNow } = deps.machine ?? thisMachine(folder);
  const texts = new TalkSource(store);
  const talks = new TapedTalkSource(texts, {
    list: () => deps.tapes().list(),
    find: (name) => deps.tapes().find(name),
    look: (name) => deps.lookAtTape(deps.tapes().placeOf(name)),
    remove: (name) => deps.tapes().remove(name),
    placeOf: (name) => deps.tapes().placeOf(name),
  });
  const chats = chatHistorySource({
    store: deps.chatStore,
    chats: deps.chats,
    damaged: async (id) => {
      const aside = await deps.chatStore.setAside(id);
      notices.post(
        'chatProblem',
        aside.ok ? appError('chatDamaged', { path: aside.value }) : aside.error,
      );
    },
    path: join(folder, 'chats'),
  });
  const changes = new HistoryChanges({
    clock,
    post: (name, payload) => {
      notices.post(name, payload);
    },
  });
  const sources = [talks, chats];
  const trouble = (error: Parameters<typeof notices.post<'talkTrouble'>>[1]): void => {
    notices.post('talkTrouble', error);
  };
  const sync = new IndexSync({
    sources,
    index,
    clock,
    changed: changes.changed,
    found: deps.chatsFound,
    trouble: (error, kind) => {
      notices.post(kind === 'chat' ? 'chatProblem' : 'talkTrouble', error);
    },
  });
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
    changed: (id) => {
      void sync.touched({ kind: 'talk', id });
    },
    trouble,
  });
  const library = new HistoryLibrary({
    sources,
    index,
    sync,
    tapes: () => deps.tapes().names(),
    goesOn: () => keeper.goesOn,
    wallNow,
  });
  const retention = new HistoryRetention({
    talks: texts,
    tapes: () => deps.tapes(),
    folder: folderNamed('talks'),
    trash: deps.trashOf('talks'),
    chatStore: deps.chatStore,
    tidyChats: deps.tidyChats,
    chatTrash: deps.trashOf('chats'),
    retention: deps.retention,
    sync,
    clock,
    trouble,
  });
  lifetime.add(
    settings.listen((event) => {
      if (event.kind === 'changed') keeper.settingsChanged();
    }),
  );
  lifetime.add(async () => {
    retention.end();
    changes.end();
    await keeper.end();
    await sync.end();
    await index.close();
  }, 'the history');
  return {
    keeper,
    history: library,
    historySync: sync,
    talkRecordOf: async (id) => {
      const stored = await talks.record(id);
      return stored.ok ? { ok: true, value: stored.value.record } : stored;
    },
    mayBePinned: async (id) => {
      const stored = await texts.record(id);
      return stored.ok ? stored.value.record.pinned : stored.error.code !== 'talkRecordGone';
    },
    correctWords: async (id, at, text) => {
      const corrected = await texts.correctWords(id, at, text);
      if (corrected.ok) await sync.touched({ kind: 'talk', id });
      return corrected;
    },
    keptTalks: talks,
    begin: () => {
      retention.begin();
    },
    handlers: createHistoryHandlers({
      library,
      index,
      talks,
      store,
      keeper,
      tapes: {
        names: () => deps.tapes().names(),
        removeAllOf: (id) => deps.tapes().removeAllOf(id),
        bytesOf: async (name) => {
          const tape = await deps.tapes().find(name);
          return tape.ok ? (tape.value?.bytes ?? 0) : 0;
        },
      },
      recent: { keep: () => deps.recent().keep() },
      folders: {
        talks: folderNamed('talks'),
        chats: folderNamed('chats'),
        tapes: folderNamed('tapes'),
      },
      wordsOf: deps.wordsOf,
      folderOf: (id) => folderNamed(join('talks', id)),
      open: deps.openFolder,
    }),
  };
}

/** How long what is stored stays, and where it goes then. */
export interface RetentionServices {
  readonly retention: Retention;
  readonly trashOf: (kind: 'chats' | 'talks' | 'tapes') => Trash;
}

interface ComposeRetentionDeps extends Pick<SettingsServices, 'settings'> {
  readonly folder: string;
  readonly clock: Clock;
  readonly lifetime: Lifetime;
  readonly log: Log;
  readonly post: PostNotice;
}

export function composeRetention({
  folder,
  clock,
  settings,
  lifetime,
  log,
  post,
}: ComposeRetentionDeps): RetentionServices {
  const retention = new Retention({
    file: createStateFile(folder, 'retention'),
    clock,
    wallNow: systemWallClock,
    privacy: () => settings.get().privacy,
    tell: (error) => {
      log.write('warn', describeAppError(error));
      post('chatProblem', error);
    },
  });
  lifetime.add(() => retention.end());
  return {
    retention,
    trashOf: (kind) =>
      new Trash({
        folder: createDataFolder(join(folder, 'trash', kind)),
        days: () => retention.days,
      }),
  };
}
