import type { ChatIndex } from '../../electron/chat/chat-library.ts';
import type { ChatStore } from '../../electron/chat/stored-chat.ts';
import {
  chatHistorySource,
  createChatIndex,
} from '../../electron/recordings/history/chat-history-source.ts';
import { containsWords, findPlace } from '../../electron/recordings/history/find-place.ts';
import { indexWordSteps, splitQuery } from '../../electron/recordings/history/history-index.ts';
import type { TalkStore } from '../../electron/recordings/history/talk-source.ts';
import type { VoiceStore } from '../../electron/settings/voices/voice-library.ts';
import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { DataFolder, DataFolderItem } from '../../shared/ports/files.ts';
import type { StoredVoice } from '../../shared/settings/audio-settings.ts';

interface StoredChat {
  text: string;
  readonly media: Map<string, Uint8Array>;
}

const ok: Outcome<undefined> = { ok: true, value: undefined };
const idPattern = /^[\da-v]{1,64}$/u;

/** Stores conversations in memory; `full` simulates a full disk. */
export class FakeChatStore implements ChatStore {
  readonly stored = new Map<string, StoredChat>();
  onWrite: () => unknown = () => undefined;
  readonly aside = new Map<string, StoredChat>();
  /** Ids of chats that are too large to be written. */
  readonly tooLarge = new Set<string>();
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
    this.onWrite();
    if (this.full) return refuse('diskFull', id);
    if (this.tooLarge.has(id)) return refuse('fileTooLarge', id);
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

function refuse(
  code: 'diskFull' | 'fileGone' | 'fileTooLarge',
  path: string,
): Promise<Outcome<never>> {
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

interface StoredTalkFiles {
  readonly text: string | undefined;
  readonly version: string;
  readonly pictures: ReadonlyMap<string, Uint8Array>;
}

const empty: StoredTalkFiles = { text: undefined, version: '', pictures: new Map() };

/** Talks in memory; `full` simulates a full disk. */
export class FakeTalkStore implements TalkStore {
  readonly path = '/talks';
  readonly stored = new Map<string, StoredTalkFiles>();
  full = false;
  writes = 0;

  readonly list: TalkStore['list'] = () =>
    Promise.resolve({
      ok: true,
      value: [...this.stored].flatMap(([id, { text, version }]) =>
        text === undefined ? [] : [{ id, version }],
      ),
    });

  readonly read: TalkStore['read'] = (id) => {
    const { text, version } = this.stored.get(id) ?? empty;
    return Promise.resolve(
      text === undefined
        ? failure('fileGone', { path: id })
        : { ok: true, value: { text, version } },
    );
  };

  readonly write: TalkStore['write'] = (id, text) => {
    if (this.full) return Promise.resolve(failure('diskFull', { path: id }));
    this.writes += 1;
    const { pictures } = this.stored.get(id) ?? empty;
    this.stored.set(id, { text, version: `${this.writes} ${text.length}`, pictures });
    return Promise.resolve(ok);
  };

  readonly writePicture: TalkStore['writePicture'] = (id, file, jpeg) => {
    if (this.full) return Promise.resolve(failure('diskFull', { path: id }));
    const before = this.stored.get(id) ?? empty;
    this.stored.set(id, { ...before, pictures: new Map([...before.pictures, [file, jpeg]]) });
    return Promise.resolve(ok);
  };

  readonly readPicture: TalkStore['readPicture'] = (id, file) => {
    const jpeg = this.stored.get(id)?.pictures.get(file);
    return Promise.resolve(
      jpeg === undefined ? failure('fileGone', { path: file }) : { ok: true, value: jpeg },
    );
  };

  readonly remove: TalkStore['remove'] = (id) => {
    this.stored.delete(id);
    return Promise.resolve(ok);
  };
}

/** A folder in memory. Records all calls. */
export class FakeDataFolder implements DataFolder {
  readonly path: string;
  readonly items = new Map<string, Omit<DataFolderItem, 'name'>>();
  readonly calls: string[] = [];
  /** How often an item's size and time were read. */
  inspectedItems = 0;

  constructor(path: string) {
    this.path = path;
  }

  put(name: string, changedAt = 0, bytes = 1): void {
    this.items.set(name, { bytes, changedAt });
  }

  readonly make: DataFolder['make'] = () => this.#answer('make', undefined);

  readonly names: DataFolder['names'] = () => this.#answer('names', [...this.items.keys()]);

  readonly list: DataFolder['list'] = () => {
    this.inspectedItems += this.items.size;
    const listed = [...this.items].map(([name, { bytes, changedAt }]) => ({
      name,
      bytes,
      changedAt,
    }));
    return this.#answer('list', listed);
  };

  readonly find: DataFolder['find'] = (name) => {
    const item = this.items.get(name);
    this.inspectedItems += item === undefined ? 0 : 1;
    return this.#answer('find', item && { name, ...item });
  };

  readonly unchangedSince: DataFolder['unchangedSince'] = (time) => {
    this.inspectedItems += this.items.size;
    const old = [...this.items].filter(([, { changedAt }]) => changedAt < time);
    return this.#answer(
      'unchangedSince',
      old.map(([name]) => name),
    );
  };

  readonly remove: DataFolder['remove'] = async (name) => {
    await this.#answer('remove', undefined);
    this.items.delete(name);
    return done;
  };

  readonly move: DataFolder['move'] = async (name) => {
    await this.#answer('move', undefined);
    this.items.delete(name);
    return done;
  };

  #answer<Value>(call: string, value: Value): Promise<Outcome<Value>> {
    this.calls.push(call);
    return Promise.resolve({ ok: true, value });
  }
}

const gone = failure('voiceGone');

/** Reference voices in memory. */
export function fakeVoices(): VoiceStore {
  const stored = new Map<string, { readonly voice: StoredVoice; readonly wav: Uint8Array }>();
  const isId = (id: string): boolean => /^[a-z\d][a-z\d-]{0,39}$/.test(id);
  return {
    list: () =>
      Promise.resolve({ ok: true, value: [...stored.values()].map(({ voice }) => voice) }),
    save: (facts, wav) => {
      if (!isId(facts.id)) return Promise.resolve(gone);
      const createdAt = new Date(stored.size * 1000).toISOString();
      const voice = { ...facts, createdAt };
      stored.set(facts.id, { voice, wav: wav.slice() });
      return Promise.resolve({ ok: true, value: voice });
    },
    rename: (id, name) => {
      const found = stored.get(id);
      if (found === undefined) return Promise.resolve(gone);
      const voice = { ...found.voice, name };
      stored.set(id, { ...found, voice });
      return Promise.resolve({ ok: true, value: voice });
    },
    read: (id) => {
      const found = stored.get(id);
      return Promise.resolve(found === undefined ? gone : { ok: true, value: found.wav.slice() });
    },
    remove: (id) => {
      if (!isId(id)) return Promise.resolve(gone);
      stored.delete(id);
      return Promise.resolve({ ok: true, value: undefined });
    },
  };
}

/** The indexed form of a text, computed in one go. */
export function indexWords(text: string): string {
  const steps = indexWordSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
