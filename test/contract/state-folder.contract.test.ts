import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { uptime } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { StartMarker } from '../../electron/app/start-marker.ts';
import {
  removeAbandonedDrafts,
  writeAtomically,
} from '../../electron/platform/files/atomic-files.ts';
import { createDataFolder } from '../../electron/platform/files/data-folder.ts';
import { createJournalFile, createStateFile } from '../../electron/platform/files/state-file.ts';
import { tightenFolder } from '../../electron/platform/files/state-folder.ts';
import { done, failure } from '../../shared/errors/app-error.ts';
import type { DataFolder, StateFile } from '../../shared/ports/files.ts';
import { FakeDataFolder } from '../fakes/fake-stores.ts';
import { FakeJournalFile, FakeStateFile } from '../fakes/fake-state-file.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

interface Place {
  readonly open: () => StateFile;
  readonly textOf: (aside: string) => string | undefined;
}

function realPlace(): Place {
  const folder = workFolder()('state');
  return {
    open: () => createStateFile(folder, 'settings'),
    textOf: (aside) => (existsSync(aside) ? readFileSync(aside, 'utf8') : undefined),
  };
}

function fakePlace(): Place {
  const disk = new Map<string, string>();
  return { open: () => new FakeStateFile(disk), textOf: (aside) => disk.get(aside) };
}

describe.each([
  ['a real state file', realPlace],
  ['a fake state file', fakePlace],
])('%s', (_name, place) => {
  it('is empty at first, then returns what was written last', async () => {
    const { open } = place();
    const file = open();
    expect([file.read(), file.setAside().ok]).toEqual([done, false]);
    unwrap(await file.write('one'));
    unwrap(await file.write('two — 二'));
    expect([unwrap(file.read()), unwrap(open().read())]).toEqual(['two — 二', 'two — 二']);
  });

  it('is set aside under a new name each time', async () => {
    const { open, textOf } = place();
    const file = open();
    unwrap(await file.write('one'));
    const first = unwrap(file.setAside());
    unwrap(await file.write('two'));
    const second = unwrap(open().setAside());
    unwrap(await file.write('three'));
    expect([textOf(first), textOf(second), unwrap(file.read())]).toEqual(['one', 'two', 'three']);
    expect([first, second].map((name) => /[^/]*$/.exec(name)?.[0])).toEqual([
      'settings.damaged-1.json',
      'settings.damaged-2.json',
    ]);
  });

  it('is complete at every moment under concurrent writers', async () => {
    const { open } = place();
    const files = [open(), open(), open()];
    const texts = files.flatMap((file, who) =>
      Array.from({ length: 20 }, (_, n) => ({ file, text: `${who}-${n} `.repeat(2000) })),
    );
    const seen = new Set<string>();
    await Promise.all(
      texts.map(async ({ file, text }) => {
        unwrap(await file.write(text));
        seen.add(unwrap(open().read()) ?? '');
      }),
    );
    const whole = new Set(texts.map(({ text }) => text));
    expect([...seen].filter((text) => !whole.has(text))).toEqual([]);
  });
});

describe('a real state file', () => {
  it('may begin with an editor’s byte-order mark', () => {
    const at = workFolder();
    writeFileSync(at('settings.json'), '\uFEFF{"version": 1}');
    expect(unwrap(createStateFile(at('.'), 'settings').read())).toBe('{"version": 1}');
  });

  it('reports a failed write, and leaves no draft', async () => {
    const at = workFolder();
    writeFileSync(at('file'), '');
    const written = await createStateFile(at('file'), 'settings').write('x');
    expect(written).toMatchObject({
      ok: false,
      error: { code: 'notFolder' },
    });
    mkdirSync(at('full/settings.json'), { recursive: true });
    expect((await createStateFile(at('full'), 'settings').write('x')).ok).toBe(false);
    expect(readdirSync(at('full'))).toEqual(['settings.json']);
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path), 'isFolder'],
    [
      'far too large',
      (path: string) => (writeFileSync(path, ''), truncateSync(path, 2 ** 33)),
      'fileTooLarge',
    ],
  ] as const)('is not read but can be set aside if it is %s', (_what, make, code) => {
    const at = workFolder();
    make(at('settings.json'));
    const file = createStateFile(at('.'), 'settings');
    expect(file.read()).toEqual(failure(code, { path: at('settings.json') }));
    expect(unwrap(file.setAside())).toMatch(/settings\.damaged-1\.json$/);
  });
});

describe.each([
  ['a real journal', () => createJournalFile(workFolder()('state'), 'talk-journal')],
  ['a fake journal', () => new FakeJournalFile()],
])('%s', (_name, open) => {
  it('lists no journal of a running process as stale, and can be removed twice', async () => {
    const file = open();
    expect(await file.readStale()).toEqual([]);
    expect(await file.write('one')).toEqual(done);
    expect(await file.readStale()).toEqual([]);
    await file.removeStale();
    await file.remove();
    await file.remove();
    expect(await file.readStale()).toEqual([]);
  });
});

describe('abandoned journals', () => {
  it('include one from before a reboot, although another process now has its process id', async () => {
    const at = workFolder();
    mkdirSync(at('.'), { recursive: true });
    const path = at(`talk-journal-${process.ppid}.json`);
    writeFileSync(path, 'text of the talk');
    const file = createJournalFile(at('.'), 'talk-journal');
    expect(await file.readStale()).toEqual([]);
    const started = Date.now() / 1000 - uptime();
    utimesSync(path, started - 60, started - 60);
    expect(await file.readStale()).toEqual(['text of the talk']);
  });

  it('are the only files that the search finds and the removal deletes', async () => {
    const at = workFolder();
    mkdirSync(at('.'), { recursive: true });
    const parents = `talk-journal-${process.ppid}.json`;
    const own = `talk-journal-${process.pid}.json`;
    const names = [
      'talk-journal-99999999.json',
      own,
      parents,
      'talk-journal-x.json',
      'settings.json',
    ];
    for (const name of names) writeFileSync(at(name), name);
    const file = createJournalFile(at('.'), 'talk-journal');
    // The file with this process's id is stale, because this process did not write it.
    expect((await file.readStale()).toSorted()).toEqual(
      ['talk-journal-99999999.json', own].toSorted(),
    );
    await file.write('written by this process');
    expect(await file.readStale()).toEqual(['talk-journal-99999999.json']);
    const before = new Date(Date.now() - 86_400_000);
    utimesSync(at(parents), before, before);
    expect(await file.readStale()).toHaveLength(2);
    await file.removeStale();
    expect(readdirSync(at('.')).toSorted()).toEqual(
      [own, 'talk-journal-x.json', 'settings.json'].toSorted(),
    );
  });
});

describe('the start marker', () => {
  it('counts successive starts that did not complete', () => {
    const at = workFolder();
    const starts = () => new StartMarker(at('state'));
    expect([starts().begin(), starts().begin(), starts().begin()]).toEqual([0, 1, 2]);
    starts().done();
    expect(starts().begin()).toBe(0);
    starts().done();
    expect(readdirSync(at('state'))).toEqual([]);
  });

  it.each(['', 'x', '-3', '1e99', '\u0000\u0000'])(
    'counts no failed start if its file contains "%s"',
    (content) => {
      const at = workFolder();
      writeFileSync(at('starting'), content);
      expect(new StartMarker(at('.')).begin()).toBe(0);
    },
  );

  it('does not prevent a start if it cannot be written', () => {
    const at = workFolder();
    writeFileSync(at('file'), '');
    const marker = new StartMarker(at('file'));
    expect(marker.begin()).toBe(0);
    marker.done();
    mkdirSync(at('closed'));
    chmodSync(at('closed'), 0o500);
    expect(new StartMarker(at('closed')).begin()).toBe(0);
  });
});

describe('writeAtomically', () => {
  it('replaces a file’s content, and makes file and folder private', async () => {
    const at = workFolder();
    await writeAtomically(at('deep/file'), 'one');
    chmodSync(at('deep/file'), 0o644);
    await writeAtomically(at('deep/file'), Buffer.from('two'));
    expect(readFileSync(at('deep/file'), 'utf8')).toBe('two');
    const mode = (path: string): number => statSync(path).mode & 0o777;
    expect([mode(at('deep')), mode(at('deep/file'))]).toEqual([0o700, 0o600]);
    expect(readdirSync(at('deep'))).toEqual(['file']);
  });
});

describe('removeAbandonedDrafts', () => {
  it('removes drafts of ended processes only, and no other files', async () => {
    const at = workFolder();
    const ownDraft = `file.${process.pid}-1.draft`;
    const parentDraft = `file.${process.ppid}-1.draft`;
    // Process ids are never this high.
    for (const name of [ownDraft, parentDraft, 'file.99999999-1.draft', 'file.draft', 'file']) {
      writeFileSync(at(name), '');
    }
    await removeAbandonedDrafts(at('.'));
    expect(readdirSync(at('.')).toSorted()).toEqual(
      ['file', 'file.draft', ownDraft, parentDraft].toSorted(),
    );
    await removeAbandonedDrafts(at('not-there'));
    // Another program may have a killed process’s id.
    const yesterday = new Date(Date.now() - 86_400_000);
    utimesSync(at(parentDraft), yesterday, yesterday);
    await removeAbandonedDrafts(at('.'));
    expect(readdirSync(at('.')).toSorted()).toEqual(['file', 'file.draft', ownDraft].toSorted());
  });
});

it('a missing folder is empty, is created private, and lists entries with their size', async () => {
  const path = workFolder()('state/tapes');
  const folder = createDataFolder(path);
  expect(await folder.unchangedSince(Infinity)).toEqual({ ok: true, value: [] });
  expect(await folder.list()).toEqual({ ok: true, value: [] });
  expect([await folder.make(), await folder.make()]).toEqual([done, done]);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700);
  mkdirSync(`${path}/one/deep`, { recursive: true });
  writeFileSync(`${path}/one/a`, 'abc');
  writeFileSync(`${path}/one/deep/b`, 'defg');
  writeFileSync(`${path}/two`, 'x');
  const listed = unwrap(await folder.list()).map(({ name, bytes }) => `${name} ${bytes}`);
  expect(listed.toSorted()).toEqual(['one 7', 'two 1']);
  await folder.remove('one');
  expect(existsSync(`${path}/one`)).toBe(false);
});

it('a folder of hundreds is measured a few entries at a time', async () => {
  const at = workFolder();
  for (let count = 0; count < 300; count += 1) writeFileSync(at(`${count}`), 'x');
  const reads = (): number =>
    process.getActiveResourcesInfo().filter((name) => name.startsWith('FSReq')).length;
  let most = 0;
  const listing = createDataFolder(at('.')).list();
  for (let listed: unknown; listed === undefined; most = Math.max(most, reads()))
    listed = await Promise.race([listing, setImmediate()]);
  expect(unwrap(await listing)).toHaveLength(300);
  expect([most > 0, most < 100]).toEqual([true, true]);
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
