import { describe, expect, it } from 'vitest';
import { findPlace } from '../../../../../electron/recordings/history/find-place.ts';
import {
  indexWordSteps,
  splitQuery,
  toIndexMatch,
  type HistoryIndex,
  type HistorySource,
  type IndexEntry,
} from '../../../../../electron/recordings/history/history-index.ts';
import type {
  ChatItem,
  FoundPlace,
  TalkItem,
} from '../../../../../shared/recordings/history-item.ts';
import { indexWords, FakeChatStore, FakeTalkStore } from '../../../../fakes/fake-stores.ts';
import { createChatIndex } from '../../../../../electron/recordings/history/chat-history-source.ts';
import { conversation } from '../../chat/open-thread-harness.ts';
import {
  indexChatChanges,
  type IndexSync,
} from '../../../../../electron/recordings/history/index-sync.ts';
import { type AppError, done, failure } from '../../../../../shared/errors/app-error.ts';
import { OpenPage } from '../../../../../shared/ipc/page.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import {
  serializeTalk,
  TalkSource,
  TapedTalkSource,
} from '../../../../../electron/recordings/history/talk-source.ts';
import { openHistoryOf, talkItem } from '../../../../fakes/history-library.ts';
import { unwrap } from '../../../../fakes/unwrap.ts';

describe('the words of the index', () => {
  it.each([
    ['Grüße, Élan & 42 km!', 'gruße elan 42 km'],
    ['你好吗', '你好 好吗 吗'],
    ['iPhone手机7', 'iphone 手机 机 7'],
    ['我', '我'],
    ['…!?', ''],
    ['ｆｕｌｌ　ｗｉｄｔｈ', 'full width'],
  ])('of %j are %j', (text, words) => {
    expect(indexWords(text)).toBe(words);
  });

  it('are the same for long texts without spaces, which are split in steps', () => {
    // Letters outside the BMP take two units and must stay whole.
    const letters = Array.from('𠮷野家的黄河源头'.repeat(20_000));
    const pairs = letters.map((letter, at) => `${letter}${letters[at + 1] ?? ''}`);
    const text = letters.join('');
    expect(indexWords(text) === pairs.join(' ')).toBe(true);
    expect([...indexWordSteps(text)].length).toBeGreaterThan(5);
    expect([...indexWordSteps('a few words '.repeat(20_000))].length).toBeGreaterThan(5);
  });

  it.each([
    ['Wa bo', '"wa"* AND "bo"*'],
    ['你好吗', '"你好 好吗"'],
    ['我', '"我"*'],
    ['"; DROP', '"drop"*'],
    ['…', undefined],
    ['', undefined],
  ])('match the query %j by the expression %j', (query, match) => {
    expect(toIndexMatch(query)).toBe(match);
  });
});

describe('the place of a match', () => {
  const placed = (text: string, query: string) => {
    const { excerpt, marks } = findPlace([{ text, turn: 3 }], splitQuery(query));
    return [excerpt, marks.map(({ from, to }) => excerpt.slice(from, to))];
  };

  it.each([
    ['The boiling point of water', 'WAT poi', ['The boiling point of water', ['poi', 'wat']]],
    ['Étude and étude', 'etud', ['Étude and étude', ['Étud', 'étud']]],
    ['谁知道黄河的源头', '黄河', ['谁知道黄河的源头', ['黄河']]],
    ['restart the art', 'art', ['restart the art', ['art']]],
    ['👍🏽 thumbs', 'thumb', ['👍🏽 thumbs', ['thumb']]],
    ['aaaa', 'a aa', ['aaaa', ['aa']]],
    ['two\n lines', 'two lines', ['two lines', ['two', 'lines']]],
  ])('has an excerpt with marks in %j for the query %j', (text, query, shown) => {
    expect(placed(text, query)).toEqual(shown);
  });

  it('has a shortened excerpt of long texts, also where folding changes the length', () => {
    const text = `${'ﬁ '.repeat(100)}needle ${'x'.repeat(300)}`;
    const [excerpt, marks] = placed(text, 'needle');
    expect([excerpt?.length, marks]).toEqual([166, ['needle']]);
    expect(excerpt).toMatch(/^….*…$/u);
  });

  it('names the turn, and has an empty excerpt without a match', () => {
    const texts = [{ text: 'one' }, { text: 'two', turn: 7 }];
    expect(findPlace(texts, ['two'])).toMatchObject({ turn: 7 });
    expect(findPlace(texts, ['three'])).toEqual({ excerpt: '', marks: [] });
  });
});

const item = (id: string): ChatItem => ({
  kind: 'chat',
  id,
  title: `Title of ${id}`,
  firstWords: '',
  at: 5,
  pinned: false,
  pictures: 0,
});

/** A history that finds these conversations at this place, for any query. */
const createHistory = (ids: readonly string[], place: FoundPlace) =>
  createChatIndex({
    list: () =>
      Promise.resolve({ ok: true, value: { entries: ids.map(item), total: 0, complete: true } }),
    search: () => {
      const entries = ids.map((id) => ({ item: item(id), place }));
      return Promise.resolve({ ok: true, value: { entries, total: 0, complete: true } });
    },
  });

describe('chat search in the history', () => {
  it('has an excerpt for a match in a turn, and none for a match in the title', async () => {
    const inTurn = createHistory(['a'], { excerpt: 'the words', marks: [], chatTurn: 't' });
    expect(await inTurn.search('words', [])).toMatchObject({ value: [{ excerpt: 'the words' }] });
    const inTitle = createHistory(['a'], { excerpt: 'Title of a', marks: [] });
    expect(await inTitle.search('title', [])).toMatchObject({ value: [{ excerpt: '' }] });
    expect(await inTitle.list()).toEqual({
      ok: true,
      value: [{ id: 'a', title: 'Title of a', updatedAt: 5, pinned: false }],
    });
  });

  it('finds a newer unsaved conversation instead of its stored one, by the same search rule', async () => {
    const history = createHistory(['a', 'b'], { excerpt: 'old', marks: [], chatTurn: 't' });
    const newer = [conversation('a', 'Nothing of it'), conversation('c', 'The rivers 河的源头')];
    const found = async (query: string) => {
      const hits = await history.search(query, newer);
      return hits.ok ? hits.value.map(({ id }) => id) : [];
    };
    expect(await found('RIV')).toEqual(['c', 'b']);
    expect(await found('源头')).toEqual(['c', 'b']);
    expect(await found('ivers')).toEqual(['b']);
    expect(await found('rivers nothing')).toEqual(['b']);
    expect(await found('nothing')).toEqual(['a', 'b']);
  });
});

it('chats that cannot all be deleted are listed again', async () => {
  const shown = { id: 'a', title: 'A', pinned: false };
  const item: ChatItem = { ...shown, kind: 'chat', at: 5, firstWords: '', pictures: 0 };
  const source: HistorySource = {
    kind: 'chat',
    list: async () => ({ ok: true, value: [{ id: 'a', version: '1' }] }),
    read: async () => ({ ok: true, value: { item, version: '1', texts: [] } }),
    pathOf: (id) => id,
  };
  const { sync, library } = openHistoryOf([source], new FailingIndex());
  const index = createChatIndex(library);
  const all = { ok: true, value: [{ ...shown, updatedAt: 5 }] };
  expect(await index.list()).toEqual(all);
  const readOnly = failure('readOnly', { path: 'chats' });
  const removeAll = () => Promise.resolve(readOnly);
  const store = Object.assign(new FakeChatStore(), { removeAll });
  expect(await indexChatChanges(store, sync).removeAll()).toEqual(readOnly);
  // Waits for the scan: `forget` runs after it.
  await sync.forget([]);
  expect(await index.list()).toEqual(all);
});

/** An index in memory that loses everything when a write fails on a full disk, like the real one. */
class FailingIndex implements HistoryIndex {
  #entries = new Map<string, IndexEntry>();
  diskFull = false;

  readonly known: HistoryIndex['known'] = async () => ({
    ok: true,
    value: [...this.#entries.values()].map(({ item: { kind, id }, version }) => ({
      kind,
      id,
      version,
    })),
  });
  readonly put: HistoryIndex['put'] = (entries) =>
    this.#write(() => {
      for (const entry of entries) this.#entries.set(entry.item.id, entry);
    });
  readonly remove: HistoryIndex['remove'] = (refs) =>
    this.#write(() => {
      for (const { id } of refs) this.#entries.delete(id);
    });
  readonly find: HistoryIndex['find'] = async () => {
    const items = [...this.#entries.values()].map(({ item }) => item);
    return { ok: true, value: { items, total: items.length } };
  };
  readonly clear: HistoryIndex['clear'] = () => this.#write(() => this.#entries.clear());
  readonly bytes: HistoryIndex['bytes'] = async () => ({ ok: true, value: 0 });
  readonly close: HistoryIndex['close'] = async () => undefined;

  async #write(change: () => void): ReturnType<HistoryIndex['put']> {
    if (this.diskFull) {
      this.#entries = new Map();
      return failure('historyIndexLost', {});
    }
    change();
    return done;
  }
}

function openLibrary(more: Partial<TalkItem> = {}, now = 0) {
  const stored = ['a', 'b'];
  const index = new FailingIndex();
  const scans = { count: 0 };
  const source: HistorySource = {
    kind: 'talk',
    list: async () => {
      scans.count += 1;
      return { ok: true, value: stored.map((id) => ({ id, version: '1' })) };
    },
    read: async (id) => ({
      ok: true,
      value: { item: talkItem(id, more), version: '1', texts: [] },
    }),
    pathOf: (id) => id,
  };
  const clock = new FakeClock();
  const errors: string[] = [];
  const { sync, library } = openHistoryOf([source], index, {
    clock,
    wallNow: () => now,
    reportError: ({ code }) => errors.push(code),
  });
  const listed = async () => {
    const page = await library.list({ skip: 0, count: 10, filter: {} });
    if (!page.ok) throw new Error(page.error.code);
    return { ids: page.value.entries.map(({ id }) => id), complete: page.value.complete };
  };
  const endings = async () => {
    const page = await library.list({ skip: 0, count: 10, filter: {} });
    return page.ok ? page.value.entries.map((item) => 'ending' in item && item.ending) : [];
  };
  return { clock, errors, index, scans, sync, library, listed, endings };
}

it.each([
  ['a write', (sync: IndexSync) => sync.update({ kind: 'talk', id: 'a' })],
  ['a deletion', (sync: IndexSync) => sync.forget([{ kind: 'talk', id: 'gone' }])],
])('the history lists everything in the folders after a full disk during %s', async (_, change) => {
  const { index, sync, listed } = openLibrary();
  expect((await listed()).ids.toSorted()).toEqual(['a', 'b']);
  index.diskFull = true;
  await change(sync);
  index.diskFull = false;
  const { ids, complete } = await listed();
  expect({ ids: ids.toSorted(), complete }).toEqual({ ids: ['a', 'b'], complete: true });
});

it('the folders are scanned only every 15 s, and the loss is reported once, while the index cannot be written', async () => {
  const { clock, errors, index, scans, sync, listed } = openLibrary();
  index.diskFull = true;
  const listOften = async () => {
    for (let at = 0; at < 10; at += 1) {
      expect((await listed()).complete).toBe(false);
      clock.advance(500);
    }
    return scans.count;
  };
  const most = await listOften();
  expect(most).toBeLessThan(5);
  clock.advance(15_000);
  expect(await listOften()).toBe(most + 1);
  expect(errors).toEqual(['historyIndexLost']);
  index.diskFull = false;
  clock.advance(15_000);
  await listed();
  // Waits for the scan: `forget` runs after it.
  await sync.forget([]);
  expect(await listed()).toMatchObject({ complete: true });
});

it.each([
  ['is running if it was written a moment ago', 'running', 5_000],
  ['is cut if it was written longer ago', 'cut', 60_000],
  ['is cut if the clock was set back since', 'cut', -3_600_000],
])('a talk without an ending %s', async (_, ending, sinceMs) => {
  const written = 1_000_000_000;
  const { endings } = openLibrary({ ending: 'cut', at: written - 1000 }, written + sinceMs);
  expect(await endings()).toEqual([ending, ending]);
});

it('a withheld talk is still listed, and is free if its page crashes', async () => {
  const { library, listed } = openLibrary();
  const [ref, { whenGone, gone }] = [{ kind: 'talk', id: 'a' } as const, new OpenPage()];
  library.withhold([ref], true, whenGone);
  expect([(await listed()).ids.includes('a'), library.isWithheld(ref)]).toEqual([true, true]);
  library.withhold([ref], false, whenGone);
  expect(library.isWithheld(ref)).toBe(false);
  library.withhold([ref], true, whenGone);
  gone();
  expect(library.isWithheld(ref)).toBe(false);
});

it('the history indexes the most recently changed chats first, whatever their ids are', async () => {
  const index = new FailingIndex();
  const ids = ['b', 'c', 'a'];
  const source: HistorySource = {
    kind: 'chat',
    list: async () => ({
      ok: true,
      value: ids.map((id, at) => ({ id, version: `${1000.5 - at} 7` })),
    }),
    read: async (id) => ({ ok: true, value: { item: talkItem(id), version: '1', texts: [] } }),
    pathOf: (id) => id,
  };
  await openHistoryOf([source], index, { clock: new FakeClock() }).sync.rescan();
  const known = unwrap(await index.known());
  expect(known.map(({ id }) => id)).toEqual(ids);
});

it('the history reads four items at a time, and reports those that cannot be read once, with their number', async () => {
  const bad = new Set(['b', 'd', 'f']);
  let open = 0;
  let most = 0;
  const source: HistorySource = {
    kind: 'talk',
    list: async () => ({
      ok: true,
      value: 'a b c d e f g h i j'.split(' ').map((id) => ({ id, version: '1 7' })),
    }),
    read: async (id) => {
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      if (bad.has(id)) return failure('notTalkRecord', { path: `talks/${id}` });
      return { ok: true, value: { item: talkItem(id), version: '1 7', texts: [] } };
    },
    pathOf: (id) => `talks/${id}`,
  };
  const errors: AppError[] = [];
  const reportError = (error: AppError): void => void errors.push(error);
  const index = new FailingIndex();
  const { sync } = openHistoryOf([source], index, { clock: new FakeClock(), reportError });
  await sync.rescan();
  expect(unwrap(await index.known()).map(({ id }) => id)).toEqual('j i h g e c a'.split(' '));
  expect(most).toBe(4);
  expect(errors).toMatchObject([
    { code: 'historyItemsUnreadable', facts: { count: 3, path: 'talks/f' } },
  ]);
  await sync.rescan();
  await sync.update({ kind: 'talk', id: 'b' });
  expect(errors.slice(1)).toMatchObject([{ code: 'notTalkRecord', facts: { path: 'talks/b' } }]);
});

it('the history indexes long items one at a time, so that only one slice waits at any moment', async () => {
  let time = 0;
  let waiting = 0;
  let most = 0;
  const clock = {
    // Each step of an item takes longer than a slice.
    now: () => (time += 10),
    after: (_milliseconds: number, run: () => void) => {
      waiting += 1;
      most = Math.max(most, waiting);
      setImmediate(() => {
        waiting -= 1;
        run();
      });
      return () => undefined;
    },
  };
  const source: HistorySource = {
    kind: 'talk',
    list: async () => ({ ok: true, value: ['a', 'b', 'c'].map((id) => ({ id, version: '1' })) }),
    read: async (id) => {
      const texts = [{ text: 'words '.repeat(20_000) }];
      return { ok: true, value: { item: talkItem(id), version: '1', texts } };
    },
    pathOf: (id) => id,
  };
  await openHistoryOf([source], new FailingIndex(), { clock }).sync.rescan();
  expect(most).toBe(1);
});

it.each([
  ['embedded', 'Demonstration'],
  ['computer', 'On this computer'],
  ['wss://studio:8006/v1/realtime', 'studio:8006'],
])(
  'a talk at the address %s that has only a recording is listed with the server name %s',
  async (endpoint, name) => {
    const item = { name: 'one', bytes: 1, changedAt: 1 };
    const tapes = {
      list: () => Promise.resolve({ ok: true, value: [item] } as const),
      find: () => Promise.resolve({ ok: true, value: item } as const),
      remove: () => Promise.resolve(done),
      pathOf: (id: string) => id,
    };
    const facts = { mode: 'audio', endpoint, recordedAt: 0, seconds: 1, cut: false } as const;
    const texts = new TalkSource(new FakeTalkStore());
    const talks = new TapedTalkSource(texts, tapes, () =>
      Promise.resolve({ ok: true, value: facts }),
    );
    expect(unwrap(await talks.record('one')).record.server.name).toBe(name);
    // The user can keep the talk as text, and Parley can then add transcribed words.
    expect(await talks.keepRecord('one')).toEqual(done);
    const words = { at: 5, text: 'Hello', transcribed: 'byMachine' } as const;
    expect(await texts.addWords('one', words)).toEqual(done);
    expect(unwrap(await talks.record('one')).record.turns).toMatchObject([{ text: 'Hello' }]);
  },
);

it('a talk keeps the words that are added while it is being pinned', async () => {
  const store = new FakeTalkStore();
  const record = { title: '', pinned: false, mode: 'audio', server: { name: 'Studio' } } as const;
  const times = { begunAt: 0, savedAt: 1000 };
  await store.write(
    'one',
    serializeTalk({ ...record, ...times, turns: [], events: [], pictures: [] }),
  );
  const texts = new TalkSource(store);
  const noTapes = {
    list: () => Promise.resolve({ ok: true, value: [] } as const),
    find: () => Promise.resolve(done),
    remove: () => Promise.resolve(done),
    pathOf: (name: string) => name,
  };
  const talks = new TapedTalkSource(texts, noTapes, () => Promise.resolve(failure('tapeModeless')));
  const words = { at: 5, text: 'Hello', transcribed: 'byMachine' } as const;
  await Promise.all([texts.addWords('one', words), talks.pin('one', true)]);
  const stored = unwrap(await talks.record('one')).record;
  expect(stored).toMatchObject({ pinned: true, turns: [{ by: 'person', text: 'Hello' }] });
});
