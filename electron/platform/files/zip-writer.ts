import { type FileHandle, open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { PackedEntry } from '../../recordings/export/export-tools.ts';
import { fileFailure } from './atomic-files.ts';

/** Packed already. */
const packed = /\.(?:jpe?g|png|mp4|flac)$/u;
/** Packs files into a zip, piece by piece and in their order. */
export async function packZip(
  path: string,
  entries: readonly PackedEntry[],
): Promise<Outcome<undefined>> {
  const zip = new ZipFile();
  const failed = new Promise<never>((_resolve, reject) => zip.once('error', reject));
  // A zip has local time; one date, made of local parts, makes the same files the same zip everywhere.
  const noDate = { mtime: new Date(1981, 0, 1), forceDosTimestamp: true, mode: 0o100644 };
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'w', 0o600);
    for (const { name, path: source } of entries)
      zip.addFile(source, name, { ...noDate, compress: !packed.test(name) });
    zip.end();
    await Promise.race([pipeline(zip.outputStream, handle.createWriteStream()), failed]);
    return { ok: true, value: undefined };
  } catch (error) {
    await handle?.close().catch(() => undefined);
    // Half a zip is none.
    if (handle !== undefined) await rm(path, { force: true });
    return fileFailure(path, error);
  }
}
