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

/** Unpacked: some hours of talk. What promises less and is more is no better. */
const defaultMaxBytes = 1_000_000_000;
/** More than any tape has pictures. */
const maxEntries = 20_000;
/** One name, in the folder itself or in the one folder that all are in. */
const plainName = /^(?:[\w-]+(?:\.[\w-]+)*\/)?([\w-]+(?:\.[\w-]+)*)$/u;
const reading = {
  lazyEntries: true,
  autoClose: false,
  // One odd name is left out, not all that is beside it; and sizes are counted, not believed.
  decodeStrings: false,
  validateEntrySizes: false,
};

class TooLargeError extends Error {}

/** A tape that is one file, as a folder for as long as it is wanted. Nothing is written outside of that. */
export async function unpackTape(
  path: string,
  maxBytes = defaultMaxBytes,
): Promise<Outcome<UnpackedTape>> {
  let zip: ZipFile | undefined;
  let scratch: ScratchFolder | undefined;
  try {
    // A pipe would be waited for without end.
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
  // Folders, and what a tape has not.
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
    // Two of one name are no tape.
    createWriteStream(join(folder, plain), { flags: 'wx', mode: 0o600 }),
  );
}
