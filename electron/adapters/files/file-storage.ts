import { mkdir, open, readdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Files } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { fileErrorMessage, isFolderMessage } from './file-error.ts';
import { createFileWriter } from './file-writer.ts';

/** The machine's own files. */
export function createFiles(): Files {
  return { read, readText, create, createFolder };
}

const read: Files['read'] = (path, maxBytes) =>
  orProblem(path, async () => {
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
    return { ok: false, problem: `${path} is not a text file.` };
  }
};

const create: Files['create'] = (path, onProblem) =>
  orProblem(path, async () => ({
    ok: true,
    value: createFileWriter(path, await open(path, 'w'), onProblem),
  }));

const createFolder: Files['createFolder'] = (path) =>
  orProblem(path, async () => {
    await mkdir(path, { recursive: true });
    const holds = await readdir(path);
    return holds.length === 0
      ? { ok: true, value: undefined }
      : { ok: false, problem: `${path} already holds something: name a new or an empty folder.` };
  });

async function readOpen(
  handle: FileHandle,
  path: string,
  maxBytes: number,
): Promise<Outcome<Uint8Array>> {
  const facts = await handle.stat();
  if (facts.isDirectory()) return { ok: false, problem: isFolderMessage(path) };
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
  return { ok: false, problem: `${path} is too large: it may have ${Math.floor(size)} ${unit}.` };
}

async function orProblem<Value>(
  path: string,
  work: () => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  try {
    return await work();
  } catch (error) {
    return { ok: false, problem: fileErrorMessage(path, error) };
  }
}
