import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { ScratchFolder } from '../../recordings/export/export-tools.ts';
import { fileFailure } from './atomic-files.ts';
import { makeScratchFolder } from './scratch-folder.ts';

export interface UnpackedTape {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** Limit of the unpacked size: some hours of talk. It is counted, because a zip can claim less. */
const defaultMaxBytes = 1_000_000_000;
const maxEntries = 20_000;
/** A file name, at the root or in one folder. */
const plainName = /^(?:[\w-]+(?:\.[\w-]+)*\/)?([\w-]+(?:\.[\w-]+)*)$/u;
const reading = {
  lazyEntries: true,
  autoClose: false,
  // Skips an unusual name instead of failing, and counts sizes instead of trusting the headers.
  decodeStrings: false,
  validateEntrySizes: false,
};

class TooLargeError extends Error {}

/** Unpacks a zipped tape into a scratch folder; writes nothing outside of it. */
export async function unpackTape(
  path: string,
  maxBytes = defaultMaxBytes,
): Promise<Outcome<UnpackedTape>> {
  let zip: ZipFile | undefined;
  let scratch: ScratchFolder | undefined;
  try {
    // `open` would block on a pipe.
    if (!(await stat(path)).isFile()) return failure('notOrdinaryFile', { path });
    zip = await openPromise(path, reading);
    if (zip.entryCount > maxEntries) return failure('notTape', { path });
    scratch = await makeScratchFolder('tape');
    const { path: folder, remove } = scratch;
    const room = { left: maxBytes };
    for await (const entry of zip.eachEntry()) await unpackEntry(zip, entry, folder, room);
    scratch = undefined;
    return { ok: true, value: { folder, remove } };
  } catch (error) {
    if (error instanceof TooLargeError) {
      return failure('fileOverLimit', { path, limit: `${Math.floor(maxBytes / 1_000_000)} MB` });
    }
    const isOurs = error instanceof Error && 'syscall' in error;
    return isOurs ? fileFailure(path, error) : failure('notTape', { path });
  } finally {
    zip?.close();
    await scratch?.remove();
  }
}

async function unpackEntry(
  zip: ZipFile,
  entry: Entry,
  folder: string,
  room: { left: number },
): Promise<void> {
  const plain = plainName.exec(entry.fileNameRaw.toString())?.[1];
  // Skips folders and unknown files.
  if (plain === undefined || entry.compressedSize === 0) return;
  await pipeline(
    await zip.openReadStreamPromise(entry),
    new Transform({
      transform: (part: Buffer, _coding, pass) => {
        room.left -= part.length;
        if (room.left < 0) pass(new TooLargeError());
        else pass(null, part);
      },
    }),
    // A duplicate name fails, because no tape has one.
    createWriteStream(join(folder, plain), { flags: 'wx', mode: 0o600 }),
  );
}
