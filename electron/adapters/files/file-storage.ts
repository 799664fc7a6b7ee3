import { failure } from '../../../shared/errors/app-error.ts';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, statfs } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Files } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { fileFailure } from './file-error.ts';
import { createFileWriter } from './file-writer.ts';
import { openReadableFile } from './readable-file.ts';

/** The machine's own files. */
export function createFiles(): Files {
  return { read, readText, openToRead: openReadableFile, create, room, createFolder };
}

const read: Files['read'] = (path, maxBytes) =>
  orFailure(path, async () => {
    const handle = await open(path, 'r');
    try {
      return await readOpen(handle, path, maxBytes);
    } finally {
      await handle.close();
    }
  });

const readText: Files['readText'] = async (path, maxBytes) => {
  const bytes = await read(path, maxBytes);
  if (!bytes.ok) return bytes;
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(bytes.value) };
  } catch {
    return failure('notText', { path });
  }
};

const create: Files['create'] = (path, onProblem) =>
  orFailure(path, async () => ({
    ok: true,
    value: createFileWriter(path, await open(path, 'w', 0o600), onProblem),
  }));

const room: Files['room'] = (path) =>
  orFailure(path, async () => {
    const { bavail, bsize } = await statfs(nearestFolder(path));
    return { ok: true, value: bavail * bsize };
  });

function nearestFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(path) || folder === path ? path : nearestFolder(folder);
}

const createFolder: Files['createFolder'] = (path) =>
  orFailure(path, async () => {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const holds = await readdir(path);
    return holds.length === 0
      ? { ok: true, value: undefined }
      : failure('folderNotEmpty', { path });
  });

async function readOpen(
  handle: FileHandle,
  path: string,
  maxBytes: number,
): Promise<Outcome<Uint8Array>> {
  const facts = await handle.stat();
  if (facts.isDirectory()) return failure('isFolder', { path });
  if (facts.size > maxBytes) return tooLarge(path, maxBytes);
  // A pipe or a device has no size, so what comes is counted too.
  const parts: Uint8Array[] = [];
  for (let total = 0; ;) {
    const part = new Uint8Array(Math.max(facts.size - total, minReadBytes));
    const { bytesRead } = await handle.read(part, 0, part.length, null);
    if (bytesRead === 0) break;
    total += bytesRead;
    if (total > maxBytes) return tooLarge(path, maxBytes);
    parts.push(part.subarray(0, bytesRead));
  }
  const only = parts[0];
  // What has come in one piece, as files do, is not copied: it may be large.
  const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  return { ok: true, value: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) };
}

const minReadBytes = 65_536;

function tooLarge(path: string, maxBytes: number): Outcome<never> {
  const [size, unit] =
    maxBytes >= 1_000_000 ? [maxBytes / 1_000_000, 'MB'] : [maxBytes / 1000, 'kB'];
  return failure('fileOverLimit', { path, limit: `${Math.floor(size)} ${unit}` });
}

async function orFailure<Value>(
  path: string,
  work: () => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  try {
    return await work();
  } catch (error) {
    return fileFailure(path, error);
  }
}
