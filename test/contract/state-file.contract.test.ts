import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { uptime } from 'node:os';
import { describe, expect, it } from 'vitest';
import { StartMarker } from '../../electron/app/start-marker.ts';
import {
  removeAbandonedDrafts,
  writeAtomically,
} from '../../electron/platform/files/atomic-files.ts';
import { createJournalFile, createStateFile } from '../../electron/platform/files/state-file.ts';
import { done, failure } from '../../shared/errors/app-error.ts';
import type { StateFile } from '../../shared/ports/files.ts';
import { FakeJournalFile } from '../fakes/fake-journal-file.ts';
import { FakeStateFile } from '../fakes/fake-state-file.ts';
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
    expect(file.read()).toEqual(done);
    unwrap(await file.write('one'));
    unwrap(await file.write('two — 二'));
    expect([unwrap(file.read()), unwrap(open().read())]).toEqual(['two — 二', 'two — 二']);
  });

  it('is set aside under a new name each time', async () => {
    const { open, textOf } = place();
    const file = open();
    unwrap(await file.write('one'));
    const first = unwrap(file.backUp());
    unwrap(await file.write('two'));
    const second = unwrap(open().backUp());
    unwrap(await file.write('three'));
    expect([textOf(first), textOf(second), unwrap(file.read())]).toEqual(['one', 'two', 'three']);
    expect([first, second].map((name) => /[^/]*$/.exec(name)?.[0])).toEqual([
      'settings.damaged-1.json',
      'settings.damaged-2.json',
    ]);
  });

  it('cannot be set aside if it is missing', () => {
    expect(place().open().backUp().ok).toBe(false);
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
  it('is private with its folder, and leaves no draft', async () => {
    const folder = workFolder()('deep/state');
    unwrap(await createStateFile(folder, 'settings').write('x'));
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect([mode(folder), mode(`${folder}/settings.json`)]).toEqual([0o700, 0o600]);
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

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
    expect(unwrap(file.backUp())).toMatch(/settings\.damaged-1\.json$/);
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
  it('include one from before a reboot, although its process id is in use again', async () => {
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

  it('are the only files that are found and removed', async () => {
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
  it('counts starts in a row that did not complete', () => {
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

  it('keeps the old file if it cannot be replaced, and leaves no draft', async () => {
    const at = workFolder();
    mkdirSync(at('file/inside'), { recursive: true });
    await expect(writeAtomically(at('file'), 'x')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(at('.'))).toEqual(['file']);
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
