import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { type AppError, appError, failure } from '../../shared/errors/app-error.ts';
import type { Files, FileWriter } from '../../shared/ports/files.ts';
import { FakeFiles } from '../fakes/fake-files.ts';
import { unwrap } from '../fakes/unwrap.ts';

interface Storage {
  readonly files: Files;
  readonly folder: string;
  readonly put: (path: string, content: Uint8Array | string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

async function realStorage(): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-files-'));
  return {
    files: createFiles(),
    folder,
    put: (path, content) => writeFile(path, content),
    remove: () => rm(folder, { recursive: true }),
  };
}

function fakeStorage(): Promise<Storage> {
  const files = new FakeFiles();
  files.putFolder('/place');
  return Promise.resolve({
    files,
    folder: '/place',
    put: (path, content) => Promise.resolve(files.put(path, content)),
    remove: () => Promise.resolve(),
  });
}

describe.each([
  { name: 'real files', open: realStorage },
  { name: 'fake files', open: fakeStorage },
])('the $name', ({ open }) => {
  let storage: Storage;
  let files: Files;
  const at = (name: string) => `${storage.folder}/${name}`;
  const created = async (name: string): Promise<FileWriter> => unwrap(await files.create(at(name)));

  beforeEach(async () => {
    storage = await open();
    files = storage.files;
  });
  afterEach(() => storage.remove());

  it('return what was written, in order', async () => {
    const writer = await created('a');
    writer.append('one ');
    writer.append(new Uint8Array([116]));
    writer.append('wo');
    expect(await writer.close()).toEqual({ ok: true, value: undefined });
    expect(await files.readText(at('a'), 100)).toEqual({ ok: true, value: 'one two' });
    expect(unwrap(await files.read(at('a'), 7))).toEqual(
      new Uint8Array([111, 110, 101, 32, 116, 119, 111]),
    );
  });

  it('overwrite in the middle and continue at the end', async () => {
    const writer = await created('a');
    writer.append('0123456789');
    writer.writeAt(2, new Uint8Array([65, 66]));
    writer.append('!');
    await writer.close();
    expect(await files.readText(at('a'), 100)).toEqual({ ok: true, value: '01AB456789!' });
  });

  it('keep the order of writes to the same offset', async () => {
    const writer = await created('a');
    for (let round = 0; round < 200; round += 1) {
      writer.writeAt(0, new Uint8Array(2000 - round).fill(round));
    }
    await writer.close();
    expect(unwrap(await files.read(at('a'), 2000)).subarray(0, 1801)).toEqual(
      new Uint8Array(1801).fill(199),
    );
  });

  it('copy the bytes when called', async () => {
    const writer = await created('a');
    const bytes = new Uint8Array([1]);
    writer.append(bytes);
    writer.writeAt(1, bytes);
    bytes[0] = 9;
    await writer.close();
    expect(unwrap(await files.read(at('a'), 9))).toEqual(new Uint8Array([1, 1]));
  });

  it('truncate an existing file, and ignore writes after the close', async () => {
    await storage.put(at('a'), 'old and long');
    const writer = await created('a');
    writer.append('new');
    await writer.close();
    writer.append('late');
    expect(await writer.close()).toEqual({ ok: true, value: undefined });
    expect(await files.readText(at('a'), 100)).toEqual({ ok: true, value: 'new' });
  });

  it('discard a file even after its close', async () => {
    unwrap(await files.createFolder(at('folder')));
    const [open, closed] = [await created('folder/a'), await created('folder/b')];
    open.append('x');
    await closed.close();
    for (const writer of [open, closed, open]) {
      expect(await writer.discard()).toEqual({ ok: true, value: undefined });
    }
    open.append('late');
    expect(await files.read(at('folder/a'), 9)).toMatchObject({ ok: false });
    expect(await files.createFolder(at('folder'))).toEqual({ ok: true, value: undefined });
  });

  it('report a missing file', async () => {
    const missing = failure('fileGone', { path: at('nothing') });
    expect(await files.read(at('nothing'), 9)).toEqual(missing);
    expect(await files.readText(at('nothing'), 9)).toEqual(missing);
    expect(await files.create(at('nowhere/a'))).toEqual(
      failure('fileGone', { path: at('nowhere/a') }),
    );
  });

  it('distinguish files from folders', async () => {
    unwrap(await files.createFolder(at('folder')));
    await storage.put(at('file'), 'x');
    const folder = failure('isFolder', { path: at('folder') });
    expect(await files.read(at('folder'), 9)).toEqual(folder);
    expect(await files.create(at('folder'))).toEqual(folder);
    expect(await files.createFolder(at('file'))).toEqual(
      failure('notFolder', { path: at('file') }),
    );
  });

  it('refuse a file over the limit', async () => {
    await storage.put(at('big'), new Uint8Array(5001));
    expect(await files.read(at('big'), 5000)).toEqual(
      failure('fileOverLimit', { path: at('big'), limit: '5 kB' }),
    );
    expect(await files.read(at('big'), 5001)).toMatchObject({ ok: true });
  });

  it('report a file that is not text', async () => {
    await storage.put(at('bytes'), new Uint8Array([0xff, 0xfe, 0xc0]));
    expect(await files.readText(at('bytes'), 9)).toEqual(failure('notText', { path: at('bytes') }));
  });

  it('create a folder, accept an empty one, refuse one with content', async () => {
    expect(await files.createFolder(at('new'))).toEqual({ ok: true, value: undefined });
    expect(await files.createFolder(at('new'))).toEqual({ ok: true, value: undefined });
    await storage.put(at('new/a'), 'x');
    expect(await files.createFolder(at('new'))).toEqual(
      failure('folderNotEmpty', { path: at('new') }),
    );
  });
});

describe('a full disk', () => {
  it('is reported at once and at the close by the real files', async (context) => {
    if (!existsSync('/dev/full')) context.skip('/dev/full exists only on Linux.');
    const error = appError('diskFull', { path: '/dev/full' });
    const errors: AppError[] = [];
    const writer = unwrap(await createFiles().create('/dev/full', (error) => errors.push(error)));
    writer.append('x');
    writer.append('y');
    await expect.poll(() => errors).toEqual([error]);
    expect(await writer.close()).toEqual({ ok: false, error });
    expect(errors).toEqual([error]);
  });

  it('is reported at once and at the close by the fake files', async () => {
    const error = appError('diskFull', { path: '/d/a' });
    const errors: AppError[] = [];
    const files = new FakeFiles();
    files.putFolder('/d');
    files.fill(3);
    const writer = unwrap(await files.create('/d/a', (error) => errors.push(error)));
    writer.append('abc');
    writer.append('d');
    writer.append('e');
    expect(errors).toEqual([error]);
    expect(await writer.close()).toEqual({ ok: false, error });
    expect(files.text('/d/a')).toBe('abc');
  });
});

describe('the real files', () => {
  it('check the size before reading', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-files-'));
    const path = join(folder, 'huge');
    await writeFile(path, '');
    await truncate(path, 2 ** 35);
    expect(await createFiles().read(path, 2_000_000)).toEqual(
      failure('fileOverLimit', { path, limit: '2 MB' }),
    );
    await rm(folder, { recursive: true });
  });

  it('limit what they read from a file without a size', async (context) => {
    if (!existsSync('/dev/zero')) context.skip('This system has no /dev/zero.');
    expect(await createFiles().read('/dev/zero', 2_000_000)).toEqual(
      failure('fileOverLimit', { path: '/dev/zero', limit: '2 MB' }),
    );
  });

  it('create private files', async (context) => {
    if (process.getuid === undefined) context.skip('This system has no file modes.');
    const folder = await mkdtemp(join(tmpdir(), 'parley-files-'));
    const before = process.umask(0);
    try {
      const writer = unwrap(await createFiles().create(join(folder, 'answer.wav')));
      unwrap(await writer.close());
      unwrap(await createFiles().createFolder(join(folder, 'deep/tape')));
    } finally {
      process.umask(before);
    }
    const modes = ['answer.wav', 'deep', 'deep/tape'].map(
      (name) => statSync(join(folder, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o700, 0o700]);
    await rm(folder, { recursive: true });
  });

  it('report missing permission', async (context) => {
    if (process.getuid === undefined) context.skip('This system has no file modes.');
    const folder = await mkdtemp(join(tmpdir(), 'parley-files-'));
    const path = join(folder, 'mine');
    await mkdir(join(folder, 'shut'));
    await writeFile(path, 'x');
    await chmod(folder, 0o755);
    await chmod(path, 0o000);
    // Root may read everything, so the test becomes another user for a moment.
    const root = process.getuid?.() === 0;
    if (root) process.seteuid?.(65_534);
    try {
      const forbidden = failure('noPermission', { path });
      expect(await createFiles().read(path, 9)).toEqual(forbidden);
      expect(await createFiles().create(path)).toEqual(forbidden);
    } finally {
      if (root) process.seteuid?.(0);
      await rm(folder, { recursive: true });
    }
  });
});
