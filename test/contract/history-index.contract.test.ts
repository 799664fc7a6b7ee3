import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openHistoryIndex } from '../../electron/platform/history/history-index-thread.ts';
import {
  type HistoryIndex,
  type IndexEntry,
  toIndexMatch,
} from '../../electron/recordings/history/history-index.ts';
import { done } from '../../shared/errors/app-error.ts';
import type { ChatItem, TalkItem } from '../../shared/recordings/history-item.ts';
import { indexWords } from '../fakes/fake-stores.ts';
import { talkItem } from '../fakes/history-library.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

const built = resolve(import.meta.dirname, '../../out/main/history-index.js');

/** The id of another running process. */
const otherProcess = String(process.ppid);
const opened: HistoryIndex[] = [];

afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

/** Runs the index in the thread of a built entry, or in this one. */
function open(folder: string, thread?: string, idleAfterMs?: number): HistoryIndex {
  if (thread === built && !existsSync(built))
    throw new Error(`${built} is missing: npm test builds it.`);
  const index = openHistoryIndex(folder, thread, idleAfterMs);
  opened.push(index);
  return index;
}

const talk = (id: string, at: number, fields: Partial<TalkItem> = {}): TalkItem =>
  talkItem(id, { at, ...fields });

const chat = (id: string, at: number): ChatItem => ({
  kind: 'chat',
  id,
  at,
  title: '',
  firstWords: '',
  pinned: false,
  pictures: 0,
});

const entry = (item: IndexEntry['item'], text: string, version = '1'): IndexEntry => ({
  item,
  version,
  words: indexWords(text),
  texts: [{ text, turn: 0 }],
});

async function ids(index: HistoryIndex, query?: string, fields: object = {}): Promise<string[]> {
  const match = query === undefined ? undefined : toIndexMatch(query);
  const found = unwrap(await index.find({ match, filter: {}, skip: 0, count: 50, ...fields }));
  return found.items.map(({ id }) => id);
}

describe.each([
  { name: 'in this thread', thread: undefined },
  { name: 'in another thread', thread: built },
])('the index $name', ({ thread }) => {
  const openFilled = async (folder: string): Promise<HistoryIndex> => {
    const index = open(folder, thread);
    expect(
      await index.put([
        entry(talk('a', 1), 'The boiling point of water'),
        entry(chat('b', 3), '谁知道黄河的源头在哪里？'),
        entry(talk('c', 2, { pinned: true }), 'Ещё раз: water, waterfalls & ÉCLAIRS'),
      ]),
    ).toEqual(done);
    return index;
  };

  it('lists the newest first, in pages and by kind', async () => {
    const index = await openFilled(workFolder()('history'));
    expect(await ids(index)).toEqual(['b', 'c', 'a']);
    expect(await ids(index, undefined, { skip: 1, count: 1 })).toEqual(['c']);
    const beyond = { ok: true, value: { items: [], total: 3 } };
    expect(await index.find({ filter: {}, skip: 50, count: 1 })).toEqual(beyond);
    expect(await ids(index, undefined, { filter: { kind: 'talk' } })).toEqual(['c', 'a']);
    expect(await ids(index, undefined, { filter: { pinned: true } })).toEqual(['c']);
    expect(await ids(index, undefined, { talks: ['a', 'b', `x'); DROP TABLE items; --`] })).toEqual(
      ['a'],
    );
    const part = await index.find({ filter: { kind: 'talk' }, skip: 1, count: 1 });
    expect(part).toMatchObject({ ok: true, value: { total: 2 } });
  });

  it('finds all words in any order, by prefix, without case and accents, in any script', async () => {
    const index = await openFilled(workFolder()('history'));
    for (const [query, found] of [
      ['water', ['c', 'a']],
      ['WATER boil', ['a']],
      ['eclair', ['c']],
      ['еще', ['c']],
      ['ater', []],
      ['黄河', ['b']],
      ['源头在', ['b']],
      ['里', ['b']],
      ['黄头', []],
      ['河黄', []],
      ['" OR water NEAR(', []],
      ['water* "point', ['a']],
    ] as const)
      expect([query, await ids(index, query)]).toEqual([query, found]);
  });

  it('is complete after it was closed, with the newest version of each entry', async () => {
    const at = workFolder();
    const index = await openFilled(at('history'));
    await index.put([entry(talk('a', 9), 'something else', '2')]);
    await index.close();
    const again = open(at('history'), thread);
    expect(await ids(again)).toEqual(['a', 'b', 'c']);
    expect(await ids(again, 'boiling')).toEqual([]);
    const known = await again.known();
    expect(known.ok && known.value).toContainEqual({ kind: 'talk', id: 'a', version: '2' });
  });

  it('erases a deleted word from its file, and deletes the file when it is cleared', async () => {
    const at = workFolder();
    const index = await openFilled(at('history'));
    const file = at('history/index.db');
    expect(readFileSync(file).includes('boiling')).toBe(true);
    await index.remove([{ kind: 'talk', id: 'a' }]);
    expect(readFileSync(file).includes('boiling')).toBe(false);
    expect(await ids(index, 'boiling')).toEqual([]);
    expect(await index.clear()).toEqual(done);
    expect(existsSync(file)).toBe(false);
    expect(await ids(index)).toEqual([]);
  });

  it.each([
    ['is not a database', (file: string) => writeFileSync(file, 'no database '.repeat(1000))],
    ['is cut', (file: string) => truncateSync(file, 5000)],
    ['is empty', (file: string) => truncateSync(file, 0)],
    [
      'is of another version of Parley',
      (file: string) => {
        const bytes = readFileSync(file);
        // The user version in SQLite’s header.
        bytes.writeUInt32BE(99, 60);
        writeFileSync(file, bytes);
      },
    ],
  ])('is replaced by an empty index if its file %s', async (_name, damage) => {
    const at = workFolder();
    await (await openFilled(at('history'))).close();
    damage(at('history/index.db'));
    const index = open(at('history'), thread);
    // The first request may still fail and report that the index was lost.
    await index.find({ filter: {}, skip: 0, count: 1 });
    expect(await ids(index)).toEqual([]);
    await index.put([entry(talk('d', 1), 'new')]);
    expect(await ids(index, 'new')).toEqual(['d']);
    await index.close();
    expect(await ids(open(at('history'), thread))).toEqual(['d']);
  });

  it('is kept in memory if another Parley uses its file, or if the file cannot be created', async () => {
    const at = workFolder();
    const first = await openFilled(at('history'));
    mkdirSync(at('.'), { recursive: true });
    writeFileSync(at('other'), 'a file');
    writeFileSync(at('history/index.lock'), otherProcess);
    for (const folder of [at('history'), at('other')]) {
      const index = open(folder, thread);
      expect(await ids(index)).toEqual([]);
      await index.put([entry(talk('z', 1), 'in memory')]);
      expect(await ids(index, 'memory')).toEqual(['z']);
      expect(await index.bytes()).toEqual({ ok: true, value: 0 });
    }
    expect(await ids(first)).toEqual(['b', 'c', 'a']);
  });

  it('is taken over even from a Parley that was killed during a write', async () => {
    const at = workFolder();
    await (await openFilled(at('history'))).close();
    writeFileSync(at('history/index.lock'), '99999999');
    // SQLite’s own lock, which the killed Parley left.
    mkdirSync(at('history/index.db.lock'));
    const index = open(at('history'), thread);
    expect(await ids(index)).toEqual(['b', 'c', 'a']);
    await index.close();
    // A process id that another program has now.
    writeFileSync(at('history/index.lock'), otherProcess);
    const hourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(at('history/index.lock'), hourAgo, hourAgo);
    expect(await ids(open(at('history'), thread))).toEqual(['b', 'c', 'a']);
    expect(readdirSync(at('history')).toSorted()).toEqual(['index.db', 'index.lock']);
  });
});

it('the history index runs in the calling thread if no thread can be started', async () => {
  const at = workFolder();
  mkdirSync(at('.'), { recursive: true });
  writeFileSync(at('broken.mjs'), 'throw new Error("it cannot begin")');
  const index = open(at('history'), at('broken.mjs'));
  for (const _try of [1, 2])
    expect(await index.put([entry(talk('a', 1), 'water')])).toMatchObject({
      error: { code: 'historyIndexLost' },
    });
  expect(await index.put([entry(talk('a', 1), 'water')])).toEqual(done);
  expect(await ids(index, 'water')).toEqual(['a']);
});

const idleMs = 100;

const openIdling = (folder: string, idleAfterMs = idleMs): HistoryIndex =>
  open(folder, built, idleAfterMs);

const item = (id: string): IndexEntry => entry(chat(id, 1), id);

async function idsOrError(index: HistoryIndex): Promise<readonly string[] | string> {
  const found = await index.find({ match: undefined, filter: {}, skip: 0, count: 50 });
  return found.ok ? found.value.items.map(({ id }) => id).toSorted() : found.error.code;
}

/** The lock file of the process that uses the index. */
const lockPath = (folder: string): string => join(folder, 'index.lock');

async function waitUntilIdle(folder: string): Promise<void> {
  await vi.waitFor(
    () => {
      expect(existsSync(lockPath(folder))).toBe(false);
    },
    { timeout: 5000 },
  );
}

it('the history index ends its thread while idle, and returns every entry again on the next request', async () => {
  const folder = workFolder()('history');
  const index = openIdling(folder);
  // More stops than the limit of crashes allows.
  for (const id of ['a', 'b', 'c', 'd']) {
    await index.put([item(id)]);
    expect(existsSync(lockPath(folder))).toBe(true);
    await waitUntilIdle(folder);
  }
  // The size is reported without opening the index.
  expect(await index.bytes()).toEqual({ ok: true, value: statSync(join(folder, 'index.db')).size });
  expect(await idsOrError(index)).toEqual(['a', 'b', 'c', 'd']);
});

// The test starts twenty threads, which may take a second each.
it(
  'the history index answers requests that arrive while it goes idle @nightly',
  { timeout: 60_000 },
  async () => {
    const folder = workFolder()('history');
    const index = openIdling(folder, 0);
    for (let at = 0; at < 20; at += 1) {
      expect(await index.put([item(`t${at}`)])).toEqual(done);
      // Waits 0 to 2 ms, so that some requests arrive while the thread stops.
      await new Promise((later) => {
        setTimeout(later, at % 3);
      });
    }
    expect(await idsOrError(index)).toHaveLength(20);
  },
);

it.each([
  {
    name: 'its file was deleted',
    meanwhile: (folder: string) => rmSync(join(folder, 'index.db')),
  },
  {
    name: 'another Parley took it',
    meanwhile: (folder: string) => writeFileSync(lockPath(folder), otherProcess),
  },
])('the index reports once that it was lost if $name while it was idle', async ({ meanwhile }) => {
  const folder = workFolder()('history');
  const index = openIdling(folder);
  await index.put([item('a')]);
  await waitUntilIdle(folder);
  meanwhile(folder);
  expect(await idsOrError(index)).toBe('historyIndexLost');
  await index.put([item('b')]);
  expect(await idsOrError(index)).toEqual(['b']);
});
