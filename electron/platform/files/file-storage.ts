import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  read as readDescriptor,
  readSync,
  statSync,
} from 'node:fs';
import { open, readdir, statfs, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import {
  failure,
  type Outcome,
  type AppError,
  type Failure,
} from '../../../shared/errors/app-error.ts';
import type { Files, ReadableFile, FileWriter } from '../../../shared/ports/files.ts';
import { creationFailure, fileFailure, makeFolder } from './atomic-files.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';

export function createFiles(): Files {
  return { read, readText, openToRead: openReadableFile, create, freeSpace, createFolder };
}

const read: Files['read'] = (path, maxBytes) =>
  catchFileError(path, async () => {
    const handle = await open(path, 'r');
    try {
      return await readOpen(handle, path, maxBytes);
    } finally {
      await handle.close();
    }
  });

const readText: Files['readText'] = async (path, maxBytes) => {
  const bytes = await read(path, maxBytes);
  if (!bytes.ok) return bytes;
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(bytes.value) };
  } catch {
    return failure('notText', { path });
  }
};

const create: Files['create'] = async (path, onProblem) => {
  try {
    const handle = await open(path, 'w', 0o600);
    return { ok: true, value: createFileWriter(path, handle, onProblem) };
  } catch (error) {
    return creationFailure(path, error);
  }
};

const freeSpace: Files['freeSpace'] = (path) =>
  catchFileError(path, async () => {
    const { bavail, bsize } = await statfs(nearestFolder(path));
    return { ok: true, value: bavail * bsize };
  });

function nearestFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(path) || folder === path ? path : nearestFolder(folder);
}

const createFolder: Files['createFolder'] = (path) =>
  catchFileError(path, async () => {
    makeFolder(path);
    const names = await readdir(path);
    return names.length === 0
      ? { ok: true, value: undefined }
      : failure('folderNotEmpty', { path });
  });

async function readOpen(
  handle: FileHandle,
  path: string,
  maxBytes: number,
): Promise<Outcome<Uint8Array>> {
  const facts = await handle.stat();
  if (facts.isDirectory()) return failure('isFolder', { path });
  if (facts.size > maxBytes) return tooLarge(path, maxBytes);
  // A pipe or device reports no size, so the bytes are counted, too.
  const parts: Uint8Array[] = [];
  for (let total = 0; ;) {
    const part = new Uint8Array(Math.max(facts.size - total, minReadBytes));
    const { bytesRead } = await handle.read(part, 0, part.length, null);
    if (bytesRead === 0) break;
    total += bytesRead;
    if (total > maxBytes) return tooLarge(path, maxBytes);
    parts.push(part.subarray(0, bytesRead));
  }
  const [firstPart] = parts;
  // A file that was read in one part is not copied, because it may be large.
  const bytes = parts.length === 1 && firstPart !== undefined ? firstPart : Buffer.concat(parts);
  return { ok: true, value: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) };
}

const minReadBytes = 65_536;

function tooLarge(path: string, maxBytes: number): Outcome<never> {
  const [size, unit] =
    maxBytes >= 1_000_000 ? [maxBytes / 1_000_000, 'MB'] : [maxBytes / 1000, 'kB'];
  return failure('fileOverLimit', { path, limit: `${Math.floor(size)} ${unit}` });
}

async function catchFileError<Value>(
  path: string,
  work: () => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  try {
    return await work();
  } catch (error) {
    return fileFailure(path, error);
  }
}

const readAsync = promisify(readDescriptor);

/** If the file was replaced after the check, a link fails to open, and a pipe does not block. Windows has neither flag. */
const openFlags: number =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function openReadableFile(path: string): Outcome<ReadableFile> {
  try {
    // Checked before opening, because opening a device can have effects.
    const facts = lstatSync(path);
    if (facts.isDirectory()) return failure('isFolder', { path });
    if (!facts.isFile()) return failure('notOrdinaryFile', { path });
    const descriptor = openSync(path, openFlags);
    const opened = fstatSync(descriptor);
    if (opened.isFile()) return { ok: true, value: readableFile(path, descriptor, opened.size) };
    closeSync(descriptor);
    return failure('notOrdinaryFile', { path });
  } catch (error) {
    return fileFailure(path, error);
  }
}

function readableFile(path: string, descriptor: number, size: number): ReadableFile {
  const bufferFor = (offset: number, length: number): Uint8Array =>
    new Uint8Array(Math.max(0, Math.min(length, size - offset)));
  return {
    size,
    read: async (offset, length) => {
      const bytes = bufferFor(offset, length);
      try {
        const { bytesRead } = await readAsync(descriptor, bytes, 0, bytes.length, offset);
        return { ok: true, value: bytes.subarray(0, bytesRead) };
      } catch (error) {
        return fileFailure(path, error);
      }
    },
    readNow: (offset, length) => {
      const bytes = bufferFor(offset, length);
      try {
        let done = 0;
        for (let count = 1; done < bytes.length && count > 0; done += count) {
          count = readSync(descriptor, bytes, done, bytes.length - done, offset + done);
        }
        return { ok: true, value: bytes.subarray(0, done) };
      } catch (error) {
        return fileFailure(path, error);
      }
    },
    close: () => closeSync(descriptor),
  };
}

/** Six hours of an answer's sound as float32, so that a forgotten talk does not fill the disk. */
const maxWrittenBytes = 2_000_000_000;

/** The most data to keep after a failure, until `resume` writes it. */
const maxUnwrittenBytes = 4_000_000;

interface Unwritten {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/**
 * Writes in order. After the first failure it only keeps some data, which `resume` writes. Without `resume`, `close` returns
 * the failure.
 */
export function createFileWriter(
  path: string,
  handle: FileHandle,
  onError: (error: AppError) => void = () => undefined,
  maxBytes: number = maxWrittenBytes,
): FileWriter {
  let end = 0;
  let firstFailure: Failure | undefined;
  const writes = new SerialQueue();
  let closing: Promise<Outcome<undefined>> | undefined;

  const fail = (reason: Failure): void => {
    if (firstFailure !== undefined) return;
    firstFailure = reason;
    onError(firstFailure.error);
  };

  let unwritten: readonly Unwritten[] = [];
  const keepUnwritten = (bytes: Uint8Array, offset: number): void => {
    const bufferedBytes = unwritten.reduce((sum, write) => sum + write.bytes.length, bytes.length);
    if (bufferedBytes <= maxUnwrittenBytes) unwritten = [...unwritten, { bytes, offset }];
  };

  const write = async (bytes: Uint8Array, offset: number): Promise<void> => {
    if (firstFailure !== undefined) {
      keepUnwritten(bytes, offset);
      return;
    }
    if (offset + bytes.length > maxBytes) {
      fail(failure('fileFull', { path, limit: `${Math.floor(maxBytes / 1_000_000)} MB` }));
      return;
    }
    try {
      await writeAll(handle, bytes, offset);
    } catch (error) {
      keepUnwritten(bytes, offset);
      fail(fileFailure(path, error));
    }
  };

  const resume = async (): Promise<Outcome<undefined>> => {
    await writes.settled();
    if (closing !== undefined) return closing;
    const pending = unwritten;
    unwritten = [];
    firstFailure = undefined;
    for (const { bytes, offset } of pending) void writes.run(() => write(bytes, offset));
    await writes.settled();
    return firstFailure ?? { ok: true, value: undefined };
  };

  const enqueue = (bytes: Uint8Array, offset: number): void => {
    if (closing === undefined) void writes.run(() => write(bytes, offset));
  };

  const finish = async (): Promise<Outcome<undefined>> => {
    await writes.settled();
    try {
      await handle.close();
    } catch (error) {
      fail(fileFailure(path, error));
    }
    return firstFailure ?? { ok: true, value: undefined };
  };

  return {
    append: (bytes) => {
      // Copied, because the caller may reuse its buffer before the write.
      const copy = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes.slice();
      enqueue(copy, end);
      end += copy.length;
    },
    writeAt: (offset, bytes) => enqueue(bytes.slice(), offset),
    resume,
    exists: () => isSameFile(path, handle.fd),
    close: () => (closing ??= finish()),
    discard: async () => {
      // The file is deleted, so earlier errors do not matter.
      await (closing ??= finish());
      try {
        // The user can name a device, such as /dev/null, which root could delete.
        const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
        if (isFile) await rm(path, { force: true });
        return { ok: true, value: undefined };
      } catch (error) {
        return fileFailure(path, error);
      }
    },
  };
}

function isSameFile(path: string, descriptor: number): boolean {
  try {
    const [named, open] = [statSync(path, exactStat), fstatSync(descriptor, exactStat)];
    return named.ino === open.ino && named.dev === open.dev;
  } catch {
    return false;
  }
}

/** Bigints, because on some disks inode numbers exceed the range of a number. */
const exactStat = { bigint: true } as const;

/** Writes all bytes. A disk that fills up writes a part without an error, and fails only at the next write. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done);
    done += bytesWritten;
  }
}
