import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appError } from '../../shared/errors/app-error.ts';
import type { OpenedTalkRecord } from '../../shared/history/opened-talk-record.ts';
import type { TalkRecord } from '../../shared/history/talk-record.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import { createDataFolder } from '../adapters/files/data-folder.ts';
import { createTalkStore } from '../adapters/files/talk-store.ts';
import { openHistoryIndex } from '../adapters/history/history-index.ts';
import { systemWallClock } from '../adapters/system/system-clock.ts';
import { chatHistorySource } from '../controllers/chat-history-source.ts';
import type { HistoryHandlers } from '../controllers/controller-handlers.ts';
import { HistoryChanges } from '../controllers/history-changes.ts';
import { HistoryRetention } from '../controllers/history-retention.ts';
import { createHistoryHandlers } from '../controllers/history-handlers.ts';
import { TalkKeeper } from '../controllers/talk-keeper.ts';

import type { RecentTapes } from '../controllers/recent-tapes.ts';
import type { TalkTapes } from '../controllers/talk-tapes.ts';
import { HistoryLibrary } from '../recorder/history/history-library.ts';
import { IndexSync } from '../recorder/history/index-sync.ts';
import { TapedTalkSource } from '../recorder/history/taped-talk-source.ts';
import { TalkSource } from '../recorder/history/talk-source.ts';
import type { ChatController } from '../chat/chat-controller.ts';
import type { NoticeBoard } from '../ipc/notice-board.ts';
import type { ChatStore } from '../ports/chat-store.ts';
import type { Clock, WallClock } from '../ports/clock.ts';
import type { DataFolder } from '../ports/files.ts';
import type { HistoryIndex } from '../ports/history-index.ts';
import type { OpenFolder } from '../ports/open-folder.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { TalkStore } from '../ports/talk-store.ts';
import type { RetentionServices } from './compose-retention.ts';
import type { SessionServices } from './compose-sessions.ts';
import type { SettingsServices } from './compose-settings.ts';

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
