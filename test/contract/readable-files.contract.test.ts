import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Files } from '../../shared/ports/files.ts';
import { FakeFiles } from '../fakes/fake-files.ts';
import { unwrap } from '../fakes/unwrap.ts';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'parley-files-'));

describe.each(['real', 'fake'])('the %s files', (kind) => {
  let folder: string;
  let files: Files;
  const at = (name: string) => `${folder}/${name}`;

  beforeEach(async () => {
    folder = newFolder();
    const fake = new FakeFiles();
    files = kind === 'real' ? createFiles() : fake;
    fake.putFolder(folder);
    fake.put(at('a'), '0123456789');
    await writeFile(at('a'), '0123456789');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('read an open file at any position, sync or async, up to its end', async () => {
    const file = unwrap(files.openToRead(at('a')));
    expect(file.size).toBe(10);
    const text = (bytes: Outcome<Uint8Array>) => new TextDecoder().decode(unwrap(bytes));
    expect(text(file.readNow(2, 3))).toBe('234');
    expect(text(await file.read(8, 5))).toBe('89');
    expect(text(file.readNow(8, 5))).toBe('89');
    expect(text(await file.read(10, 5))).toBe('');
    expect(text(file.readNow(99, 5))).toBe('');
    file.close();
  });

  it('do not open a folder or a missing file', async () => {
    unwrap(await files.createFolder(at('folder')));
    expect(files.openToRead(at('folder'))).toEqual(failure('isFolder', { path: at('folder') }));
    expect(files.openToRead(at('none'))).toEqual(failure('fileGone', { path: at('none') }));
  });
});

describe('the real files', () => {
  it('do not open a link, pipe or device', async (context) => {
    if (process.platform === 'win32') context.skip('This system has no pipes among its files.');
    const folder = newFolder();
    await writeFile(join(folder, 'a'), 'x');
    await symlink(join(folder, 'a'), join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const path of [join(folder, 'link'), join(folder, 'pipe'), '/dev/zero']) {
      expect(createFiles().openToRead(path)).toEqual(failure('notOrdinaryFile', { path }));
    }
    await rm(folder, { recursive: true });
  });
});
