import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFiles, createFileWriter } from '../../electron/platform/files/file-storage.ts';
import {
  createSaveTargets,
  makeScratchFolder,
  openScratchFolder,
  sweepScratch,
} from '../../electron/platform/files/scratch-folder.ts';
import {
  type AppError,
  appError,
  done,
  failure,
  type Outcome,
} from '../../shared/errors/app-error.ts';
import type { Files, FileWriter } from '../../shared/ports/files.ts';
import { FakeFiles } from '../fakes/fake-files.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

interface Storage {
  readonly files: Files;
  readonly folder: string;
  readonly put: (path: string, content: Uint8Array | string) => void;
}

function realStorage(): Storage {
  const put = (path: string, content: Uint8Array | string): void => writeFileSync(path, content);
  return { files: createFiles(), folder: workFolder()('.'), put };
}

function fakeStorage(): Storage {
  const files = new FakeFiles();
  files.putFolder('/place');
  return { files, folder: '/place', put: files.put.bind(files) };
}

describe.each([
  { name: 'real files', open: realStorage },
  { name: 'fake files', open: fakeStorage },
])('the $name', ({ open }) => {
  let storage: Storage;
  let files: Files;
  const at = (name: string) => `${storage.folder}/${name}`;
  const created = async (name: string): Promise<FileWriter> => unwrap(await files.create(at(name)));

  beforeEach(() => {
    storage = open();
    files = storage.files;
  });

  it('return what was written, appended in order or overwritten in the middle', async () => {
    const writer = await created('a');
    const bytes = new Uint8Array([116]);
    writer.append('one ');
    writer.append(bytes);
    writer.append('wo');
    writer.writeAt(1, bytes);
    writer.append('!');
    // The writer has copied the bytes, so this change does not reach the file.
    bytes[0] = 9;
    expect(await writer.close()).toEqual(done);
    expect(await files.readText(at('a'), 100)).toEqual({ ok: true, value: 'ote two!' });
    expect(unwrap(await files.read(at('a'), 8))).toEqual(new TextEncoder().encode('ote two!'));
  });

  it('truncate an existing file, and ignore writes after the close', async () => {
    storage.put(at('a'), 'old and long');
    const writer = await created('a');
    writer.append('new');
    await writer.close();
    writer.append('late');
    expect(await writer.close()).toEqual(done);
    expect(await files.readText(at('a'), 100)).toEqual({ ok: true, value: 'new' });
  });

  it('discard a file even after its close', async () => {
    unwrap(await files.createFolder(at('folder')));
    const [open, closed] = [await created('folder/a'), await created('folder/b')];
    open.append('x');
    await closed.close();
    for (const writer of [open, closed, open]) {
      expect(await writer.discard()).toEqual(done);
    }
    open.append('late');
    expect(await files.read(at('folder/a'), 9)).toMatchObject({ ok: false });
    expect(await files.createFolder(at('folder'))).toEqual(done);
  });

  it('refuse a path that is missing, a folder, too large or not text', async () => {
    unwrap(await files.createFolder(at('folder')));
    storage.put(at('big'), new Uint8Array(5001));
    storage.put(at('bytes'), new Uint8Array([0xff, 0xfe, 0xc0]));
    const refusal = (code: 'fileGone' | 'isFolder' | 'notFolder' | 'notText', name: string) =>
      failure(code, { path: at(name) });
    const gone = refusal('fileGone', 'nothing');
    expect(await files.read(at('nothing'), 9)).toEqual(gone);
    expect(await files.readText(at('nothing'), 9)).toEqual(gone);
    expect(await files.create(at('nowhere/a'))).toEqual(refusal('fileGone', 'nowhere'));
    expect(await files.read(at('folder'), 9)).toEqual(refusal('isFolder', 'folder'));
    expect(await files.create(at('folder'))).toEqual(refusal('isFolder', 'folder'));
    expect(await files.createFolder(at('big'))).toEqual(refusal('notFolder', 'big'));
    expect(await files.read(at('big'), 5000)).toEqual(
      failure('fileOverLimit', { path: at('big'), limit: '5 kB' }),
    );
    expect(await files.read(at('big'), 5001)).toMatchObject({ ok: true });
    expect(await files.readText(at('bytes'), 9)).toEqual(refusal('notText', 'bytes'));
  });

  it('create a folder, accept an empty one, refuse one with content', async () => {
    expect(await files.createFolder(at('new'))).toEqual(done);
    expect(await files.createFolder(at('new'))).toEqual(done);
    storage.put(at('new/a'), 'x');
    expect(await files.createFolder(at('new'))).toEqual(
      failure('folderNotEmpty', { path: at('new') }),
    );
  });

  it('read an open file at any position, sync or async, up to its end', async () => {
    storage.put(at('a'), '0123456789');
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

interface Disk {
  readonly writer: FileWriter;
  /** Makes every write fail, or succeed again. */
  readonly setFull: (isFull: boolean) => void;
  readonly text: () => string;
  readonly deleteFolder: () => Promise<void>;
}

/** The real writer on a disk that the test can fill; half of a write still fits. */
async function realDisk(): Promise<Disk> {
  const folder = workFolder()('disk');
  mkdirSync(folder);
  const path = join(folder, 'a');
  const handle = await open(path, 'w');
  let isFull = false;
  const write = async (bytes: Uint8Array, from: number, length: number, offset: number) => {
    if (!isFull) return handle.write(bytes, from, length, offset);
    if (length > 1) await handle.write(bytes, from, length >> 1, offset);
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  };
  const limited: Pick<FileHandle, 'fd'> = { fd: handle.fd };
  const writer = createFileWriter(
    path,
    Object.assign(limited, { write, close: () => handle.close() }) as FileHandle,
  );
  return {
    writer,
    setFull: (isNowFull) => {
      isFull = isNowFull;
    },
    text: () => readFileSync(path, 'utf8'),
    deleteFolder: () => rm(folder, { recursive: true }),
  };
}

async function fakeDisk(): Promise<Disk> {
  const files = new FakeFiles();
  files.putFolder('/f');
  return {
    writer: unwrap(await files.create('/f/a')),
    setFull: (isFull) => {
      files.fill(isFull ? 0 : Number.POSITIVE_INFINITY);
    },
    text: () => files.text('/f/a'),
    deleteFolder: () => {
      files.removeFolder('/f');
      return Promise.resolve();
    },
  };
}

describe.each([
  { name: 'real', open: realDisk },
  { name: 'fake', open: fakeDisk },
])('the $name file writer', ({ open: openDisk }) => {
  it('writes the rest after a failure, and continues, when space is free again', async () => {
    const { writer, setFull, text } = await openDisk();
    writer.append('one ');
    expect(await writer.resume()).toEqual(done);
    setFull(true);
    writer.append('two ');
    writer.append('three ');
    expect(await writer.resume()).toMatchObject({ ok: false, error: { code: 'diskFull' } });
    writer.append('four ');
    setFull(false);
    expect(await writer.resume()).toEqual(done);
    writer.append('five');
    expect(await writer.close()).toEqual(done);
    expect(text()).toBe('one two three four five');
  });

  it('detects that its file was deleted', async () => {
    const { writer, deleteFolder } = await openDisk();
    writer.append('x');
    expect(writer.exists()).toBe(true);
    await deleteFolder();
    expect(writer.exists()).toBe(false);
    await writer.close();
  });
});

describe('the real files', () => {
  it('limit what they read from a file without a size', async (context) => {
    if (!existsSync('/dev/zero')) context.skip('This system has no /dev/zero.');
    expect(await createFiles().read('/dev/zero', 2_000_000)).toEqual(
      failure('fileOverLimit', { path: '/dev/zero', limit: '2 MB' }),
    );
  });

  it('create private files', async (context) => {
    if (process.getuid === undefined) context.skip('This system has no file modes.');
    const at = workFolder();
    const before = process.umask(0);
    try {
      const writer = unwrap(await createFiles().create(at('answer.wav')));
      unwrap(await writer.close());
      unwrap(await createFiles().createFolder(at('deep/tape')));
    } finally {
      process.umask(before);
    }
    const modes = ['answer.wav', 'deep', 'deep/tape'].map(
      (name) => statSync(at(name)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o700, 0o700]);
  });

  it('report a folder that the system does not let them create', async (context) => {
    if (process.platform !== 'linux') context.skip('Only Linux has /proc.');
    const path = '/proc/parley/tape';
    expect(await createFiles().createFolder(path)).toEqual(failure('fileGone', { path }));
  });

  it('report missing permission', async (context) => {
    if (process.getuid === undefined) context.skip('This system has no file modes.');
    const at = workFolder();
    const path = at('mine');
    writeFileSync(path, 'x');
    chmodSync(at('.'), 0o755);
    chmodSync(path, 0o000);
    // Root may read everything, so the test becomes another user for a moment.
    const root = process.getuid?.() === 0;
    if (root) process.seteuid?.(65_534);
    try {
      const forbidden = failure('noPermission', { path });
      expect(await createFiles().read(path, 9)).toEqual(forbidden);
      expect(await createFiles().create(path)).toEqual(forbidden);
    } finally {
      if (root) process.seteuid?.(0);
    }
  });

  it('do not open a link, pipe or device for reads at a position', async (context) => {
    if (process.platform === 'win32') context.skip('This system has no pipes among its files.');
    const at = workFolder();
    writeFileSync(at('a'), 'x');
    symlinkSync(at('a'), at('link'));
    execFileSync('mkfifo', [at('pipe')]);
    for (const path of [at('link'), at('pipe'), '/dev/zero']) {
      expect(createFiles().openToRead(path)).toEqual(failure('notOrdinaryFile', { path }));
    }
  });

  it('discard no link, because it may name a device, such as /dev/stdout', async (context) => {
    if (process.platform === 'win32') context.skip('This system has no devices among its files.');
    const link = workFolder()('link');
    symlinkSync('/dev/null', link);
    expect(await unwrap(await createFiles().create(link)).discard()).toEqual(done);
    expect(existsSync(link)).toBe(true);
  });

  it('detect a file that was moved or replaced', async () => {
    const files = createFiles();
    const at = workFolder();
    const path = at('a');
    const first = unwrap(await files.create(path));
    renameSync(path, at('b'));
    expect(first.exists()).toBe(false);
    const second = await files.create(path);
    expect(first.exists()).toBe(false);
    await first.close();
    if (second.ok) await second.value.close();
  });
});

it('a sweep keeps the folders of the process that runs it, and deletes those of an earlier process with the same id', async () => {
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  const own = await makeScratchFolder('tape');
  const abandoned = join(dirname(own.path), `${process.pid}-tape-abcdef`);
  mkdirSync(abandoned);
  await sweepScratch();
  expect([existsSync(own.path), existsSync(abandoned)]).toEqual([true, false]);
  await own.remove();
  expect(existsSync(own.path)).toBe(false);
});

it('a file can be saved elsewhere although the state folder cannot be written', async () => {
  const at = workFolder();
  writeFileSync(at('state'), 'a file, so that no folder can be made in it');
  vi.stubEnv('PARLEY_STATE_DIR', at('state'));
  expect(await openScratchFolder('export')).toMatchObject({
    error: { code: 'notFolder', facts: { path: at('state/scratch') } },
  });
  const download = createSaveTargets({ kind: 'download', offer: (path) => path });
  expect(await download('x.md')).toMatchObject({ error: { code: 'notFolder' } });
  for (const end of ['commit', 'discard'] as const) {
    const choose = createSaveTargets({
      kind: 'dialog',
      choose: (name) => Promise.resolve(at(name)),
      chooseFolder: () => Promise.resolve(undefined),
    });
    const target = unwrap(await choose(end));
    if (target === undefined) throw new Error('no target');
    writeFileSync(target.draft, 'x');
    await target[end]();
  }
  expect(readdirSync(at('.'))).toEqual(['commit', 'state']);
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
