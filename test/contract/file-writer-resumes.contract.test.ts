import { mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles, createFileWriter } from '../../electron/platform/files/file-storage.ts';
import { done, type Outcome } from '../../shared/errors/app-error.ts';
import type { FileWriter } from '../../shared/ports/files.ts';
import { FakeFiles } from '../fakes/fake-files.ts';
import { unwrap } from '../fakes/unwrap.ts';

interface Disk {
  readonly writer: FileWriter;
  /** Makes every write fail, or succeed again. */
  readonly setFull: (isFull: boolean) => void;
  readonly text: () => string;
  readonly deleteFolder: () => Promise<void>;
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The real writer on a disk that the test can fill; half of a write still fits. */
async function realDisk(): Promise<Disk> {
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
  it('writes what failed and continues once space is free again', async () => {
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

  it('does not continue after it was closed', async () => {
    const { writer, setFull, text } = await openDisk();
    setFull(true);
    writer.append('lost');
    const closed: Outcome<undefined> = await writer.close();
    setFull(false);
    expect(await writer.resume()).toEqual(closed);
    expect(closed.ok).toBe(false);
    expect(text().length).toBeLessThan(4);
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
  it('detect a file that was moved or replaced', async () => {
    const files = createFiles();
    const path = join(folder, 'a');
    const first = unwrap(await files.create(path));
    renameSync(path, join(folder, 'b'));
    expect(first.exists()).toBe(false);
    const second = await files.create(path);
    expect(first.exists()).toBe(false);
    await first.close();
    if (second.ok) await second.value.close();
  });

  it('report the free space even for a missing folder', async () => {
    const files = createFiles();
    const [here, below] = [
      await files.freeSpace(folder),
      await files.freeSpace(join(folder, 'x/y')),
    ];
    if (!here.ok || !below.ok) throw new Error('no free space was reported');
    expect(here.value).toBeGreaterThan(0);
    expect(Math.abs(here.value - below.value)).toBeLessThan(here.value / 2);
  });
});
