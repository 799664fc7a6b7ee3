import { fstatSync, statSync } from 'node:fs';
import { type FileHandle, rm } from 'node:fs/promises';
import {
  type AppError,
  type Failure,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type { FileWriter } from '../../../shared/ports/files.ts';
import { fileFailure } from './atomic-files.ts';

/** Six hours of an answer's sound, so that a forgotten talk does not fill the disk. */
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
    writeAt: (offset, bytes) => {
      enqueue(bytes.slice(), offset);
    },
    resume,
    exists: () => isSameFile(path, handle.fd),
    close: () => (closing ??= finish()),
    discard: async () => {
      // The file is deleted, so earlier errors do not matter.
      await (closing ??= finish());
      try {
        await rm(path, { force: true });
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
