import { constants } from 'node:fs';
import { open, opendir, realpath, stat, lstat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { errorCode, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { SharedFiles } from '../../tools/built-in/built-in-tools.ts';
import { fileFailure } from '../files/atomic-files.ts';

/** Reads files and folders that the user shared. Links are resolved first, and their targets must be inside, too. */
export function createSharedFiles(sharedPaths: () => readonly string[]): SharedFiles {
  /** Resolves links in a path. Fails if the result is not in a shared path. */
  const resolveInside = async (path: string): Promise<Outcome<string>> => {
    if (!isAbsolute(path)) return failure('toolPathOutside', { path });
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) return failure('toolPathOutside', { path });
    for (const shared of sharedPaths()) {
      const root = await realpath(shared).catch(() => undefined);
      if (root !== undefined && isInside(root, real)) return { ok: true, value: real };
    }
    return failure('toolPathOutside', { path });
  };

  return {
    readText: async (path, maxBytes) => {
      const inside = await resolveInside(path);
      if (!inside.ok) return inside;
      return readInside(inside.value, path, maxBytes).catch((error: unknown) =>
        fileFailure(path, error),
      );
    },
    list: async (path, maxEntries) => {
      const inside = await resolveInside(path);
      if (!inside.ok) return inside;
      return listFolder(inside.value, maxEntries).catch((error: unknown) =>
        fileFailure(path, error),
      );
    },
  };
}

function isInside(root: string, path: string): boolean {
  const relativePath = relative(root, path);
  return (
    relativePath === '' ||
    (!isAbsolute(relativePath) && relativePath !== '..' && !relativePath.startsWith(`..${sep}`))
  );
}

async function readInside(real: string, path: string, maxBytes: number): Promise<Outcome<string>> {
  // A pipe would block, and a link may have replaced the file.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(real, flags);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) return failure('toolNotText', { path });
    // A folder of the path may have been replaced by a link meanwhile.
    const [currentPath, current] = [await realpath(real), await stat(real)];
    if (currentPath !== real || current.ino !== facts.ino)
      return failure('toolPathOutside', { path });
    const buffer = Buffer.alloc(Math.min(maxBytes, facts.size));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const bytes = buffer.subarray(0, bytesRead);
    if (bytes.includes(0)) return failure('toolNotText', { path });
    const cut = facts.size > bytesRead ? '\n[…]' : '';
    return { ok: true, value: bytes.toString('utf8') + cut };
  } finally {
    await file.close();
  }
}

async function listFolder(path: string, maxEntries: number): Promise<Outcome<readonly string[]>> {
  const names: string[] = [];
  for await (const entry of await opendir(path)) {
    if (names.length >= maxEntries) break;
    names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
  }
  return { ok: true, value: names.toSorted() };
}

/** Reads a text file, but follows no link. Undefined without a file. A file over the limit is not read. */
export async function readPlainFile(
  path: string,
  maxBytes: number,
): Promise<Outcome<string | undefined>> {
  try {
    const facts = await lstat(path);
    if (facts.isSymbolicLink()) return failure('toolFileLink', { path });
    if (!facts.isFile()) return failure('toolNotText', { path });
    return await readText(path, maxBytes);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: true, value: undefined };
    // A link has replaced the file meanwhile.
    return code === 'ELOOP' ? failure('toolFileLink', { path }) : fileFailure(path, error);
  }
}

async function readText(path: string, maxBytes: number): Promise<Outcome<string>> {
  // A pipe would block, and a link may have replaced the file.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size } = await file.stat();
    if (size > maxBytes) return failure('toolFileLarge', { path });
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await file.read(buffer, 0, size, 0);
    const text = new TextDecoder('utf-8').decode(buffer.subarray(0, bytesRead));
    return text.includes('\0') ? failure('toolNotText', { path }) : { ok: true, value: text };
  } finally {
    await file.close();
  }
}
