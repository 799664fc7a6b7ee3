import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openHistoryIndex } from '../../electron/platform/history/history-index-thread.ts';
import type { HistoryIndex } from '../../electron/recordings/history/history-index.ts';
import { done } from '../../shared/errors/app-error.ts';
import { indexWords } from '../fakes/index-words.ts';
import { workFolder } from '../fakes/work-folder.ts';

const built = resolve(import.meta.dirname, '../../out/main/history-index.js');
const idleMs = 100;
/** The id of another running process. */
const otherProcess = String(process.ppid);
const opened: HistoryIndex[] = [];

afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

function open(folder: string, idleAfterMs = idleMs): HistoryIndex {
  if (!existsSync(built)) throw new Error(`${built} is missing: npm test builds it.`);
  const index = openHistoryIndex(folder, built, idleAfterMs);
  opened.push(index);
  return index;
}

const item = (id: string) => {
  const about = { title: '', firstWords: '', pinned: false, pictures: 0 };
  return {
    item: { kind: 'chat' as const, id, at: 1, ...about },
    version: '1',
    words: indexWords(id),
    texts: [],
  };
};

async function ids(index: HistoryIndex): Promise<readonly string[] | string> {
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

it('ends its thread while idle, and has everything again on the next request', async () => {
  const folder = workFolder()('history');
  const index = open(folder);
  // More stops than the limit of crashes allows.
  for (const id of ['a', 'b', 'c', 'd']) {
    await index.put([item(id)]);
    expect(existsSync(lockPath(folder))).toBe(true);
    await waitUntilIdle(folder);
  }
  // The size is reported without opening the index.
  expect(await index.bytes()).toEqual({ ok: true, value: statSync(join(folder, 'index.db')).size });
  expect(await ids(index)).toEqual(['a', 'b', 'c', 'd']);
});

// It starts twenty threads, each in up to a second.
it('answers requests that arrive while it goes idle', { timeout: 60_000 }, async () => {
  const folder = workFolder()('history');
  const index = open(folder, 0);
  for (let at = 0; at < 20; at += 1) {
    expect(await index.put([item(`t${at}`)])).toEqual(done);
    // Waits 0 to 2 ms, so that some requests arrive while the thread stops.
    await new Promise((later) => {
      setTimeout(later, at % 3);
    });
  }
  expect(await ids(index)).toHaveLength(20);
});

it('keeps its thread if the index is only in memory', async () => {
  const folder = workFolder()('history');
  mkdirSync(folder, { recursive: true });
  writeFileSync(lockPath(folder), otherProcess);
  const index = open(folder);
  await index.put([item('b')]);
  await new Promise((later) => {
    setTimeout(later, 4 * idleMs);
  });
  expect(await ids(index)).toEqual(['b']);
});

it.each([
  {
    name: 'its file was deleted',
    meanwhile: (folder: string) => rmSync(join(folder, 'index.db')),
  },
  {
    name: 'another Parley has it',
    meanwhile: (folder: string) => writeFileSync(lockPath(folder), otherProcess),
  },
])('reports once that it was lost if $name while it was idle', async ({ meanwhile }) => {
  const folder = workFolder()('history');
  const index = open(folder);
  await index.put([item('a')]);
  await waitUntilIdle(folder);
  meanwhile(folder);
  expect(await ids(index)).toBe('historyIndexLost');
  await index.put([item('b')]);
  expect(await ids(index)).toEqual(['b']);
});
