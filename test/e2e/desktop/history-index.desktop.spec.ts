import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures/host-test.ts';

const begunAt = Date.UTC(2026, 0, 1);

const talk = {
  format: 'parley-talk',
  version: 1,
  title: '',
  pinned: false,
  mode: 'audio',
  server: { name: 'Studio' },
  begunAt,
  savedAt: begunAt + 60_000,
  turns: [{ by: 'parley', at: 10, text: '谁知道黄河的源头在哪里？', heard: 4 }],
  events: [],
  pictures: [],
};

test('stored talks are listed and found through the index in Electron', async ({ start, home }) => {
  const state = join(home, 'state');
  await mkdir(join(state, 'talks', '2026-01-01'), { recursive: true });
  await writeFile(join(state, 'talks', '2026-01-01', 'talk.json'), JSON.stringify(talk));
  expect(existsSync(join(state, 'history'))).toBe(false);
  const { page } = await start();
  const part = { skip: 0, count: 10, filter: {} };
  await expect
    .poll(() => page.evaluate((input) => window.parley?.request('history', input), part))
    .toMatchObject({ value: { entries: [{ id: '2026-01-01', ending: 'cut' }], complete: true } });
  const found = await page.evaluate((input) => window.parley?.request('searchHistory', input), {
    ...part,
    query: '黄河',
  });
  expect(found).toMatchObject({
    value: { entries: [{ place: { turn: 0, marks: [{ from: 3, to: 5 }] } }] },
  });
  expect(existsSync(join(state, 'history', 'index.db'))).toBe(true);
});
