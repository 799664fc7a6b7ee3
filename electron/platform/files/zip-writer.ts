import { type FileHandle, open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { PackedEntry } from '../../recordings/export/export-tools.ts';
import { fileFailure } from './atomic-files.ts';

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
    if (handle !== undefined) await rm(path, { force: true });
    return fileFailure(path, error);
  }
}
