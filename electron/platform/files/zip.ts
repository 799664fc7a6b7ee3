import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { PackedEntry, ScratchFolder } from '../../recordings/export/export-tools.ts';
import { creationFailure, fileFailure } from './atomic-files.ts';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { openPromise, type Entry, type ZipFile as OpenedZip } from 'yauzl';
import { makeScratchFolder } from './scratch-folder.ts';

const compressedFormats = /\.(?:jpe?g|png|mp4|flac)$/u;

/** Packs files into a zip. If that fails, no zip is left. */
export async function packZip(
  path: string,
  entries: readonly PackedEntry[],
): Promise<Outcome<undefined>> {
  const zip = new ZipFile();
  const zipError = new Promise<never>((_resolve, reject) => zip.once('error', reject));
  // A zip stores local time. With a fixed local date, equal files give equal zips everywhere.
  const metadata = { mtime: new Date(1981, 0, 1), forceDosTimestamp: true, mode: 0o100644 };
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'w', 0o600);
    for (const { name, path: source } of entries)
      zip.addFile(source, name, { ...metadata, compress: !compressedFormats.test(name) });
    zip.end();
    await Promise.race([pipeline(zip.outputStream, handle.createWriteStream()), zipError]);
    return { ok: true, value: undefined };
  } catch (error) {
    await handle?.close().catch(() => undefined);
    if (handle === undefined) return creationFailure(path, error);
    await rm(path, { force: true });
    return fileFailure(path, error);
  }
}

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
  let zip: OpenedZip | undefined;
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
    if (!isFileError) return failure('notTape', { path });
    // The system names no path for a write, and only the scratch folder is written.
    const written = error.syscall === 'write' ? scratch?.path : undefined;
    return fileFailure(pathIn(error) ?? written ?? path, error);
  } finally {
    zip?.close();
    await scratch?.remove();
  }
}

function pathIn(error: Error): string | undefined {
  return 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}

async function unpackEntry(
  zip: OpenedZip,
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
