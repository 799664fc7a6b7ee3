import { closeSync, constants, fstatSync, lstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { failure } from '../../../shared/errors/app-error.ts';
import type { ReadableFile } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { fileFailure } from './file-error.ts';

const readLater = promisify(read);

/** Whoever puts a link or a pipe there between the look and the opening gains nothing by it. Windows has neither flag. */
const nothingElse: number =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens an ordinary file, to be read in places. */
export function openReadableFile(path: string): Outcome<ReadableFile> {
  try {
    // Looked at first: a device does something when it is opened.
    const facts = lstatSync(path);
    if (facts.isDirectory()) return failure('isFolder', { path });
    if (!facts.isFile()) return failure('notOrdinaryFile', { path });
    const descriptor = openSync(path, nothingElse);
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
        const { bytesRead } = await readLater(descriptor, bytes, 0, bytes.length, offset);
        return { ok: true, value: bytes.subarray(0, bytesRead) };
      } catch (error) {
        return fileFailure(path, error);
      }
    },
    readNow: (offset, length) => {
      const bytes = bufferFor(offset, length);
      try {
        let done = 0;
        for (let got = 1; done < bytes.length && got > 0; done += got) {
          got = readSync(descriptor, bytes, done, bytes.length - done, offset + done);
        }
        return { ok: true, value: bytes.subarray(0, done) };
      } catch (error) {
        return fileFailure(path, error);
      }
    },
    close: () => {
      closeSync(descriptor);
    },
  };
}
