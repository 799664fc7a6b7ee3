import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { PackedEntry } from '../../recordings/export/export-tools.ts';
import { fileFailure } from './atomic-files.ts';
import { writeAll } from './file-writer.ts';

/** What a zip without extensions can say. */
const defaultMaxBytes = 0xff_ff_ff_ff;
/** Packed already. */
const packed = /\.(?:jpe?g|png|mp4|flac)$/u;
/** Names are UTF-8. */
const utf8Flag = 0x0800;

class TooLargeError extends Error {}

/** Packs files into a zip, piece by piece, in their order and without a date: the same files are the same zip. */
export async function packZip(
  path: string,
  entries: readonly PackedEntry[],
  maxBytes = defaultMaxBytes,
): Promise<Outcome<undefined>> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'w', 0o600);
    const directory: Buffer[] = [];
    let at = 0;
    for (const entry of entries) {
      const { facts, end } = await packEntry(handle, at, entry, maxBytes);
      const place = Buffer.alloc(14);
      place.writeUInt32LE(at, 10);
      const name = Buffer.from(entry.name);
      directory.push(Buffer.concat([mark(0x02014b50), Buffer.from([20, 0]), facts, place, name]));
      at = end;
    }
    const listed = Buffer.concat(directory);
    const end = Buffer.alloc(18);
    end.writeUInt16LE(entries.length, 4);
    end.writeUInt16LE(entries.length, 6);
    end.writeUInt32LE(listed.length, 8);
    end.writeUInt32LE(at, 12);
    const tail = Buffer.concat([listed, mark(0x06054b50), end]);
    if (at + tail.length > maxBytes) throw new TooLargeError();
    await writeAll(handle, tail, at);
    await handle.close();
    return { ok: true, value: undefined };
  } catch (error) {
    await handle?.close().catch(() => undefined);
    // Half a zip is none.
    if (handle !== undefined) await rm(path, { force: true });
    return error instanceof TooLargeError
      ? failure('zipTooLarge', { path })
      : fileFailure(path, error);
  }
}

async function packEntry(
  handle: FileHandle,
  from: number,
  { name, path }: PackedEntry,
  maxBytes: number,
): Promise<{ readonly facts: Buffer; readonly end: number }> {
  const stored = packed.test(name) || (await stat(path)).size === 0;
  const nameBytes = Buffer.from(name);
  const start = from + 30 + nameBytes.length;
  let [at, bytes, sum] = [start, 0, 0];
  const source = createReadStream(path);
  const packing = stored ? new PassThrough() : createDeflateRaw();
  source.on('error', (error) => packing.destroy(error));
  source.on('data', (part) => {
    sum = crc32(part, sum);
    bytes += part.length;
  });
  source.pipe(packing);
  for await (const part of packing as AsyncIterable<Buffer>) {
    if (at + part.length > maxBytes || bytes > maxBytes) throw new TooLargeError();
    await writeAll(handle, part, at);
    at += part.length;
  }
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(utf8Flag, 2);
  facts.writeUInt16LE(stored ? 0 : 8, 4);
  facts.writeUInt32LE(sum, 10);
  facts.writeUInt32LE(at - start, 14);
  facts.writeUInt32LE(bytes, 18);
  facts.writeUInt16LE(nameBytes.length, 22);
  const head = Buffer.concat([mark(0x04034b50), facts, nameBytes]);
  await writeAll(handle, head, from);
  return { facts, end: at };
}

function mark(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
