import { expect, it } from 'vitest';
import type {
  HistoryIndex,
  HistorySource,
  IndexEntry,
} from '../../../../../electron/recordings/history/history-index.ts';
import { HistoryLibrary } from '../../../../../electron/recordings/history/history-library.ts';
import { IndexSync } from '../../../../../electron/recordings/history/index-sync.ts';
import { done, failure } from '../../../../../shared/errors/app-error.ts';
import type { TalkItem } from '../../../../../shared/recordings/history-item.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { HistoryChanges } from '../../../../../electron/recordings/history/history-handlers.ts';

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

const itemOf = (id: string, more: Partial<TalkItem> = {}): TalkItem => ({
  kind: 'talk',
  id,
  at: 0,
  title: '',
  firstWords: '',
  pinned: false,
  pictures: 0,
  mode: 'audio',
  seconds: 1,
  server: 'Studio',
  ending: 'orderly',
  tape: false,
  ...more,
});

function openLibrary(more: Partial<TalkItem> = {}, now = 0) {
  const stored = ['a', 'b'];
  const index = new FailingIndex();
  const source: HistorySource = {
    kind: 'talk',
    list: async () => ({ ok: true, value: stored.map((id) => ({ id, version: '1' })) }),
    read: async (id) => ({ ok: true, value: { item: itemOf(id, more), version: '1', texts: [] } }),
    pathOf: (id) => id,
  };
  const clock = new FakeClock();
  const sources = [source];
  const sync = new IndexSync({
    sources,
    index,
    clock,
    onIndexChange: () => undefined,
    reportError: ({ code }) => {
      throw new Error(code);
    },
  });
  const library = new HistoryLibrary({
    sources,
    index,
    sync,
    tapes: async () => new Set(),
    runningId: () => undefined,
    wallNow: () => now,
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
  return { index, sync, listed, endings };
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

it('the history reports an incomplete list if the index was lost during a scan', async () => {
  const { index, sync, listed } = openLibrary();
  index.diskFull = true;
  await sync.rescan();
  expect(sync.complete).toBe(false);
  index.diskFull = false;
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

it('the history posts changes at once, then every half second until its end', () => {
  const clock = new FakeClock();
  const posted: unknown[] = [];
  const changes = new HistoryChanges({ clock, post: (_name, payload) => posted.push(payload) });
  changes.onChange();
  changes.onChange();
  clock.advance(500);
  expect(posted).toEqual([{ count: 1 }, { count: 2 }]);
  clock.advance(500);
  changes.end();
  changes.onChange();
  clock.advance(10_000);
  expect(posted).toHaveLength(2);
});
