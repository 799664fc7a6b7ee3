import { join } from 'node:path';
import {
  createChatStore,
  createTalkStore,
} from '../../../electron/platform/files/chat-and-talk-store.ts';
import { openHistoryIndex } from '../../../electron/platform/history/history-index-thread.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { chatHistorySource } from '../../../electron/recordings/history/chat-history-source.ts';
import { HistoryLibrary } from '../../../electron/recordings/history/history-library.ts';
import { IndexSync } from '../../../electron/recordings/history/index-sync.ts';
import { TalkSource } from '../../../electron/recordings/history/talk-source.ts';

const nobody = (): Promise<never> => Promise.reject(new Error('unexpected question'));

/** Opens the history of a folder like the core; `entry` is the built index worker. */
export function openLibrary(folder: string, entry: string) {
  const index = openHistoryIndex(join(folder, 'history'), entry);
  const path = join(folder, 'chats');
  const chats = chatHistorySource({
    store: createChatStore(folder),
    onDamaged: nobody,
    path,
  });
  const sources = [new TalkSource(createTalkStore(folder)), chats];
  const sync = new IndexSync({
    sources,
    index,
    clock: systemClock,
    onIndexChange: () => undefined,
    reportError: ({ code }) => {
      throw new Error(code);
    },
  });
  const library = new HistoryLibrary({
    sources,
    index,
    sync,
    tapes: () => Promise.resolve(new Set()),
    runningId: () => undefined,
    wallNow: () => 0,
  });
  return { index, sync, library };
}
