import type { IndexSync } from '../recorder/history/index-sync.ts';
import type { ChatStore } from '../ports/chat-store.ts';

/** The same store, and the history learns what becomes of it. */
export function tellHistory(
  store: ChatStore,
  sync: Pick<IndexSync, 'touched' | 'forget' | 'forgetAll'>,
): ChatStore {
  return {
    ...store,
    write: async (id, text, media) => {
      const written = await store.write(id, text, media);
      if (written.ok) void sync.touched({ kind: 'chat', id });
      return written;
    },
    setAside: async (id) => {
      const aside = await store.setAside(id);
      if (aside.ok) void sync.touched({ kind: 'chat', id });
      return aside;
    },
    remove: async (id) => {
      const removed = await store.remove(id);
      if (removed.ok) await sync.forget([{ kind: 'chat', id }]);
      return removed;
    },
    removeAll: async () => {
      const removed = await store.removeAll();
      await sync.forgetAll('chat');
      return removed;
    },
  };
}
