import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
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
const tailBytes = 65_557;
const maxDirectoryBytes = 4_000_000;
const headLength = 30;
/** One name, in the folder itself or in the one folder that all are in. */
const plainName = /^(?:[\w-]+(?:\.[\w-]+)*\/)?([\w-]+(?:\.[\w-]+)*)$/u;

class TooLargeError extends Error {}

/** A tape that is one file, as a folder for as long as it is wanted. Nothing is written outside of that. */
export async function unpackTape(
  path: string,
  maxBytes = defaultMaxBytes,
): Promise<Outcome<UnpackedTape>> {
  let handle: FileHandle | undefined;
  let scratch: ScratchFolder | undefined;
  try {
    // A pipe would be waited for without end.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = await handle.stat();
    if (!facts.isFile()) return failure('notOrdinaryFile', { path });
    const entries = await listEntries(handle, facts.size);
    if (entries === undefined) return failure('notTape', { path });
    scratch = await makeScratchFolder('tape');
    const { path: folder, remove } = scratch;
    const room = { left: maxBytes };
    for (const entry of entries) await unpackEntry(handle, entry, folder, room);
    scratch = undefined;
    return { ok: true, value: { folder, remove } };
  } catch (error) {
    if (error instanceof TooLargeError) {
      return failure('fileOverLimit', { path, limit: `${Math.floor(maxBytes / 1_000_000)} MB` });
    }
    const isOurs = error instanceof Error && 'syscall' in error;
    return isOurs ? fileFailure(path, error) : failure('notTape', { path });
  } finally {
    await handle?.close();
    await scratch?.remove();
  }
}

async function listEntries(
  handle: FileHandle,
  size: number,
): Promise<readonly ZipEntry[] | undefined> {
  const length = Math.min(size, tailBytes);
  const directory = findZipDirectory(await readAt(handle, size - length, length));
  if (directory === undefined || directory.bytes > maxDirectoryBytes) return undefined;
  if (directory.at + directory.bytes > size) return undefined;
  return readZipDirectory(await readAt(handle, directory.at, directory.bytes), directory.entries);
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
}

async function unpackEntry(
  handle: FileHandle,
  { name, method, packedBytes, headAt }: ZipEntry,
  folder: string,
  room: { left: number },
): Promise<void> {
  const plain = plainName.exec(name)?.[1];
  // Folders, and what a tape has not.
  if (plain === undefined || packedBytes === 0) return;
  const head = await readAt(handle, headAt, headLength);
  const start = headAt + headLength + head.readUInt16LE(26) + head.readUInt16LE(28);
  await pipeline(
    handle.createReadStream({ autoClose: false, start, end: start + packedBytes - 1 }),
    method === 'deflated' ? createInflateRaw() : new PassThrough(),
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

/** One file in a zip, as its directory has it. */
interface ZipEntry {
  readonly name: string;
  readonly method: 'stored' | 'deflated';
  readonly packedBytes: number;
  /** Where its own head begins. */
  readonly headAt: number;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const endLength = 22;
const entryLength = 46;
const methods: ReadonlyMap<number, ZipEntry['method']> = new Map([
  [0, 'stored'],
  [8, 'deflated'],
]);

/** More than any tape has pictures. */
const maxEntries = 20_000;

/** Where the directory lies, found from the end of the file; nothing where it is no zip that we read. */
export function findZipDirectory(
  tail: Buffer,
): { readonly at: number; readonly bytes: number; readonly entries: number } | undefined {
  for (let at = tail.length - endLength; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endMark) continue;
    const entries = tail.readUInt16LE(at + 10);
    const bytes = tail.readUInt32LE(at + 12);
    const offset = tail.readUInt32LE(at + 16);
    return entries > maxEntries ? undefined : { at: offset, bytes, entries };
  }
  return undefined;
}

/** What the directory lists; nothing where it is damaged, or has what we do not read. */
export function readZipDirectory(
  directory: Buffer,
  entries: number,
): readonly ZipEntry[] | undefined {
  const found: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < entries; index += 1) {
    if (at + entryLength > directory.length) return undefined;
    if (directory.readUInt32LE(at) !== entryMark) return undefined;
    const encrypted = (directory.readUInt16LE(at + 8) & 1) !== 0;
    const method = methods.get(directory.readUInt16LE(at + 10));
    const nameLength = directory.readUInt16LE(at + 28);
    const next =
      at +
      entryLength +
      nameLength +
      directory.readUInt16LE(at + 30) +
      directory.readUInt16LE(at + 32);
    if (encrypted || method === undefined || next > directory.length) return undefined;
    found.push({
      name: directory.toString('utf8', at + entryLength, at + entryLength + nameLength),
      method,
      packedBytes: directory.readUInt32LE(at + 20),
      headAt: directory.readUInt32LE(at + 42),
    });
    at = next;
  }
  return found;
}
