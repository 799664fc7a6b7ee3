import type { AppError, Failure } from '../../../shared/errors/app-error.ts';
import { failure } from '../../../shared/errors/app-error.ts';
import { rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { FileWriter } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { fileFailure } from './file-error.ts';

/** Six hours of an answer's sound: a talk that nobody ends does not fill the disk. */
const maxWrittenBytes = 2_000_000_000;

/** Writes one after the other. After the first failure the rest is let go, and `close` gives it back. */
export function createFileWriter(
  path: string,
  handle: FileHandle,
  onError: (error: AppError) => void = () => undefined,
  maxBytes: number = maxWrittenBytes,
): FileWriter {
  let end = 0;
  let failed: Failure | undefined;
  const writes = new SerialQueue();
  let closing: Promise<Outcome<undefined>> | undefined;

  const fail = (why: Failure): void => {
    if (failed !== undefined) return;
    failed = why;
    onError(failed.error);
  };

  const write = async (bytes: Uint8Array, offset: number): Promise<void> => {
    if (failed !== undefined) return;
    if (offset + bytes.length > maxBytes) {
      fail(failure('fileFull', { path, limit: `${Math.floor(maxBytes / 1_000_000)} MB` }));
      return;
    }
    try {
      await writeAll(handle, bytes, offset);
    } catch (error) {
      fail(fileFailure(path, error));
    }
  };

  const put = (bytes: Uint8Array, offset: number): void => {
    if (closing === undefined) void writes.run(() => write(bytes, offset));
  };

  const finish = async (): Promise<Outcome<undefined>> => {
    await writes.settled();
    try {
      await handle.close();
    } catch (error) {
      fail(fileFailure(path, error));
    }
    return failed ?? { ok: true, value: undefined };
  };

  return {
    append: (bytes) => {
      // A copy, because the caller may use its buffer again before the write's turn has come.
      const copy = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes.slice();
      put(copy, end);
      end += copy.length;
    },
    writeAt: (offset, bytes) => {
      put(bytes.slice(), offset);
    },
    close: () => (closing ??= finish()),
    discard: async () => {
      // Whatever went wrong with what was written goes with it.
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

async function writeAll(handle: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done);
    done += bytesWritten;
  }
}
