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

/** Limit of the unpacked size: some hours of talk. The bytes are counted, because a zip can claim fewer. */
const defaultMaxBytes = 1_000_000_000;
const maxEntries = 20_000;
/** Matches a file at the root or in one folder, and captures its name. */
const entryPath = /^(?:[\w-]+(?:\.[\w-]+)*\/)?([\w-]+(?:\.[\w-]+)*)$/u;
const zipOptions = {
  lazyEntries: true,
  autoClose: false,
  // Names and sizes are checked here: an unusual name is skipped and does not fail, and sizes in headers are not trusted.
  decodeStrings: false,
  validateEntrySizes: false,
};

class TooLargeError extends Error {}

/** Unpacks a zipped tape into a scratch folder, and writes only there. */
export async function unpackTape(
  path: string,
  maxBytes = defaultMaxBytes,
): Promise<Outcome<UnpackedTape>> {
  let zip: ZipFile | undefined;
  let scratch: ScratchFolder | undefined;
  try {
    // `open` would block on a pipe.
    if (!(await stat(path)).isFile()) return failure('notOrdinaryFile', { path });
    zip = await openPromise(path, zipOptions);
    if (zip.entryCount > maxEntries) return failure('notTape', { path });
    scratch = await makeScratchFolder('tape');
    const { path: folder, remove } = scratch;
    const budget = { bytes: maxBytes };
    for await (const entry of zip.eachEntry()) await unpackEntry(zip, entry, folder, budget);
    scratch = undefined;
    return { ok: true, value: { folder, remove } };
  } catch (error) {
    if (error instanceof TooLargeError) {
      return failure('fileOverLimit', { path, limit: `${Math.floor(maxBytes / 1_000_000)} MB` });
    }
    const isFileError = error instanceof Error && 'syscall' in error;
    return isFileError ? fileFailure(path, error) : failure('notTape', { path });
  } finally {
    zip?.close();
    await scratch?.remove();
  }
}

async function unpackEntry(
  zip: ZipFile,
  entry: Entry,
  folder: string,
  budget: { bytes: number },
): Promise<void> {
  const fileName = entryPath.exec(entry.fileNameRaw.toString())?.[1];
  // Folders and unknown files are skipped.
  if (fileName === undefined || entry.compressedSize === 0) return;
  await pipeline(
    await zip.openReadStreamPromise(entry),
    new Transform({
      transform: (part: Buffer, _coding, pass) => {
        budget.bytes -= part.length;
        if (budget.bytes < 0) pass(new TooLargeError());
        else pass(null, part);
      },
    }),
    // A duplicate name fails, because no tape has one.
    createWriteStream(join(folder, fileName), { flags: 'wx', mode: 0o600 }),
  );
}
