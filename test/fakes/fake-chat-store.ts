import type { ChatStore } from '../../electron/chat/stored-chat.ts';
import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { ChatIndex } from '../../electron/chat/chat-library.ts';
import {
  chatHistorySource,
  createChatIndex,
} from '../../electron/recordings/history/chat-history-source.ts';
import { findPlace, containsWords } from '../../electron/recordings/history/find-place.ts';
import { splitQuery } from '../../electron/recordings/history/history-index.ts';

interface StoredChat {
  text: string;
  readonly media: Map<string, Uint8Array>;
}

const ok: Outcome<undefined> = { ok: true, value: undefined };
const idPattern = /^[\da-v]{1,64}$/u;

/** Stores conversations in memory; `full` simulates a full disk. */
export class FakeChatStore implements ChatStore {
  readonly stored = new Map<string, StoredChat>();
  readonly aside = new Map<string, StoredChat>();
  writes = 0;
  full = false;

  put(id: string, text: string): void {
    this.stored.set(id, { text, media: new Map() });
  }

  readonly list: ChatStore['list'] = () =>
    Promise.resolve({
      ok: true,
      value: [...this.stored].map(([id, { text }]) => ({ id, version: text })),
    });

  readonly read: ChatStore['read'] = (id) => {
    const text = this.stored.get(id)?.text;
    return text === undefined
      ? Promise.resolve(failure('fileGone', { path: id }))
      : Promise.resolve({ ok: true, value: { text, version: text } });
  };

  readonly write: ChatStore['write'] = (id, text, media) => {
    if (!idPattern.test(id)) return refuse('fileGone', id);
    if (this.full) return refuse('diskFull', id);
    this.writes += 1;
    const storedMedia = this.stored.get(id)?.media;
    const newMedia = new Map<string, Uint8Array>();
    for (const { name, bytes } of media) {
      const file = storedMedia?.get(name) ?? bytes();
      if (file !== undefined) newMedia.set(name, file);
    }
    this.stored.set(id, { text, media: newMedia });
    return Promise.resolve(ok);
  };

  readonly readMedia: ChatStore['readMedia'] = (id, name) => {
    const file = this.stored.get(id)?.media.get(name);
    return file === undefined
      ? refuse('fileGone', `${id}/${name}`)
      : Promise.resolve({ ok: true, value: file });
  };

  readonly setAside: ChatStore['setAside'] = (id) => {
    const stored = this.stored.get(id);
    if (stored === undefined) return refuse('fileGone', id);
    let name = id;
    for (let count = 2; this.aside.has(name); count += 1) name = `${id}-${count}`;
    this.aside.set(name, stored);
    this.stored.delete(id);
    return Promise.resolve({ ok: true, value: `/damaged-chats/${name}` });
  };

  readonly remove: ChatStore['remove'] = (id) => {
    this.stored.delete(id);
    return Promise.resolve(ok);
  };

  readonly removeAll: ChatStore['removeAll'] = () => {
    this.stored.clear();
    this.aside.clear();
    return Promise.resolve(ok);
  };
}

function refuse(code: 'diskFull' | 'fileGone', path: string): Promise<Outcome<never>> {
  return Promise.resolve(failure(code, { path }));
}

/** A chat index that reads the store at each call. */
export function chatIndexFromStore(store: ChatStore): ChatIndex {
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

/** A chat index that fails, as if its file were damaged. */
export const unavailableChatIndex: ChatIndex = {
  list: () => Promise.resolve(failure('historyIndexLost')),
  search: () => Promise.resolve(failure('historyIndexLost')),
};
