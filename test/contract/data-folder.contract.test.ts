import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { createDataFolder } from '../../electron/platform/files/data-folder.ts';
import { makeScratchFolder, sweepScratch } from '../../electron/platform/files/scratch-folder.ts';
import { tightenFolder } from '../../electron/platform/files/state-folder.ts';
import { done } from '../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';
import type { DataFolder } from '../../shared/ports/files.ts';
import { FakeDataFolder } from '../fakes/fake-data-folder.ts';
import { workFolder } from '../fakes/work-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('a missing folder is empty, and is created private', async () => {
  const path = workFolder()('state/tapes');
  const folder = createDataFolder(path);
  expect(await folder.unchangedSince(Infinity)).toEqual({ ok: true, value: [] });
  expect(await folder.list()).toEqual({ ok: true, value: [] });
  expect(await folder.make()).toEqual(done);
  expect(await folder.make()).toEqual(done);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('entries are listed with their size and removed one by one', async () => {
  const path = workFolder()('tapes');
  mkdirSync(`${path}/one/deep`, { recursive: true });
  writeFileSync(`${path}/one/a`, 'abc');
  writeFileSync(`${path}/one/deep/b`, 'defg');
  writeFileSync(`${path}/two`, 'x');
  const folder = createDataFolder(path);
  const listed = await folder.list();
  const sizes = listed.ok ? listed.value.map(({ name, bytes }) => `${name} ${bytes}`) : [];
  expect(sizes).toHaveLength(2);
  expect(sizes).toEqual(expect.arrayContaining(['one 7', 'two 1']));
  await folder.remove('one');
  expect(existsSync(`${path}/one`)).toBe(false);
});

const kinds: readonly [string, () => DataFolder][] = [
  [
    'of the disk',
    () => {
      const path = workFolder()('tapes');
      for (const [name, changed] of [
        ['old', 1000],
        ['new', 2000],
      ] as const) {
        mkdirSync(`${path}/${name}`, { recursive: true });
        writeFileSync(`${path}/${name}/a`, 'abc');
        utimesSync(`${path}/${name}`, changed, changed);
      }
      return createDataFolder(path);
    },
  ],
  [
    'in memory',
    () => {
      const folder = new FakeDataFolder('/tapes');
      folder.put('old', 1_000_000, 3);
      folder.put('new', 2_000_000, 3);
      return folder;
    },
  ],
];

it.each(kinds)(
  'a folder %s finds entries by name and by time, and removes and moves them',
  async (_kind, open) => {
    const folder = open();
    const old = { name: 'old', bytes: 3, changedAt: 1_000_000 };
    expect(await folder.find('old')).toEqual({ ok: true, value: old });
    for (const name of ['none', '..', '.', '', 'old/a'])
      expect(await folder.find(name)).toEqual(done);
    expect(await folder.unchangedSince(2_000_000)).toEqual({ ok: true, value: ['old'] });
    const listed = await folder.list();
    expect(listed.ok && listed.value.map(({ name }) => name).toSorted()).toEqual(['new', 'old']);
    await folder.remove('old');
    expect(await folder.names()).toEqual({ ok: true, value: ['new'] });
    await folder.move('new', `${folder.path}-moved`);
    expect(await folder.names()).toEqual({ ok: true, value: [] });
  },
);

it.each(['..', '../beside', '.', '', '/etc', 'one/a'])(
  'the name "%s" removes nothing',
  async (name) => {
    const at = workFolder();
    mkdirSync(at('tapes/one'), { recursive: true });
    writeFileSync(at('tapes/one/a'), 'abc');
    writeFileSync(at('beside'), 'kept');
    await createDataFolder(at('tapes')).remove(name);
    expect([existsSync(at('beside')), existsSync(at('tapes/one/a'))]).toEqual([true, true]);
  },
);

it('only the named entry is moved, completely', async () => {
  const at = workFolder();
  mkdirSync(at('tapes/one'), { recursive: true });
  writeFileSync(at('tapes/one/a'), 'abc');
  writeFileSync(at('beside'), 'kept');
  const folder = createDataFolder(at('tapes'));
  expect(await folder.move('one', at('moved'))).toEqual(done);
  expect(readFileSync(at('moved/a'), 'utf8')).toBe('abc');
  for (const name of ['one', '../beside', '..']) {
    expect(await folder.move(name, at('again'))).toEqual(done);
  }
  expect([existsSync(at('again')), existsSync(at('beside'))]).toEqual([false, true]);
});

it('a file in place of the folder is an error with a message', async () => {
  const at = workFolder();
  writeFileSync(at('tapes'), 'no folder');
  const folder = createDataFolder(at('tapes'));
  for (const outcome of [await folder.list(), await folder.make()]) {
    expect(outcome.ok ? '' : englishErrorMessage(outcome.error)).toContain('tapes');
  }
});

const fileMode = (path: string): number => statSync(path).mode & 0o7777;

it('a state folder that others can read becomes private', (context) => {
  if (process.getuid === undefined) context.skip('This system has no file modes.');
  const at = workFolder();
  for (const [name, mode] of [
    ['open', 0o755],
    ['writable', 0o777],
    ['shut', 0o500],
  ] as const) {
    mkdirSync(at(name));
    chmodSync(at(name), mode);
    tightenFolder(at(name));
  }
  expect(['open', 'writable', 'shut'].map((name) => fileMode(at(name)))).toEqual([
    0o700, 0o700, 0o500,
  ]);
  mkdirSync(at('real'), { mode: 0o755 });
  symlinkSync(at('real'), at('link'));
  tightenFolder(at('link'));
  expect(fileMode(at('real'))).toBe(0o700);
  tightenFolder(at('not-there'));
});

it('a shared folder, another account’s folder and the home folder stay unchanged', (context) => {
  if (process.getuid === undefined) context.skip('This system has no file modes.');
  const at = workFolder();
  mkdirSync(at('tmp'));
  chmodSync(at('tmp'), 0o1777);
  tightenFolder(at('tmp'));
  mkdirSync(at('home'));
  chmodSync(at('home'), 0o755);
  vi.stubEnv('HOME', at('home'));
  tightenFolder(at('home'));
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(4711);
  mkdirSync(at('others'));
  chmodSync(at('others'), 0o755);
  tightenFolder(at('others'));
  getuid.mockRestore();
  expect(['tmp', 'home', 'others'].map((name) => fileMode(at(name)))).toEqual([
    0o1777, 0o755, 0o755,
  ]);
});

it('a sweep keeps its own folders, not those of an earlier process with its id', async () => {
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  const own = await makeScratchFolder('tape');
  const abandoned = join(dirname(own.path), `${process.pid}-tape-abcdef`);
  mkdirSync(abandoned);
  await sweepScratch();
  expect([existsSync(own.path), existsSync(abandoned)]).toEqual([true, false]);
  await own.remove();
  expect(existsSync(own.path)).toBe(false);
});

it('a sweep leaves folders and files of other programs alone', async () => {
  const at = workFolder();
  vi.stubEnv('PARLEY_STATE_DIR', at('state'));
  mkdirSync(at('state/scratch/something'), { recursive: true });
  const mine = at('letter.txt');
  writeFileSync(mine, 'mine');
  mkdirSync(at('state/scratch/999999999-draft-abcdef'));
  writeFileSync(at('state/scratch/999999999-draft-abcdef/draft'), mine);
  await sweepScratch();
  expect(readdirSync(at('state/scratch'))).toEqual(['something']);
  expect(existsSync(mine)).toBe(true);
});
