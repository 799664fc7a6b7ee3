import type { ChatIndex } from '../../electron/chat/chat-library.ts';
import type { ChatStore } from '../../electron/chat/stored-chat.ts';
import {
  chatHistorySource,
  createChatIndex,
} from '../../electron/recordings/history/chat-history-source.ts';
import { findPlace, containsWords } from '../../electron/recordings/history/find-place.ts';
import { splitQuery } from '../../electron/recordings/history/history-index.ts';
import { failure } from '../../shared/errors/app-error.ts';

/** The history of a chat store, without an index. */
export function keptChatsFromStore(store: ChatStore): ChatIndex {
  const source = chatHistorySource({
    store,
    onDamaged: () => Promise.resolve(),
    path: '/chats',
  });
  const documents = async () => {
    const listed = await source.list();
    if (!listed.ok) throw new Error(listed.error.code);
    const read = await Promise.all(listed.value.map(({ id }) => source.read(id)));
    return read.flatMap((document) => (document.ok ? [document.value] : []));
  };
  return createChatIndex({
    list: async () => {
      const entries = (await documents()).map(({ item }) => item);
      return { ok: true, value: { entries, total: entries.length, complete: true } };
    },
    search: async (query) => {
      const words = splitQuery(query);
      const entries = (await documents()).flatMap(({ item, texts }) => {
        const all = [...texts, { text: item.title }];
        return containsWords(all, words) ? [{ item, place: findPlace(all, words) }] : [];
      });
      return { ok: true, value: { entries, total: entries.length, complete: true } };
    },
  });
}

export const unavailableKeptChats: ChatIndex = {
  list: () => Promise.resolve(failure('historyIndexLost')),
  search: () => Promise.resolve(failure('historyIndexLost')),
};
