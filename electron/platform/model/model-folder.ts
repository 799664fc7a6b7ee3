import { mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Files } from '../../../shared/ports/files.ts';
import { errorCode } from '../../../shared/sanitize-text.ts';
import type { Job, ModelDisk } from '../../model/model-disk.ts';
import { fileFailure, isRunning, orFailure } from '../files/atomic-files.ts';
import { hashFile, sizeOf } from '../net/resumable-download.ts';

/** The path of a file while it is downloaded. */
export function partialPath(path: string): string {
  return `${path}.part`;
}

/** Runs work with a signal that `stop` aborts. */
export function startJob<Value>(
  work: (signal: AbortSignal) => Promise<Outcome<Value>>,
): Job<Value> {
  const control = new AbortController();
  const run = async (): Promise<Outcome<Value> | undefined> => {
    const outcome = await work(control.signal);
    // Work that finished before it was stopped keeps its value.
    return control.signal.aborted && !outcome.ok ? undefined : outcome;
  };
  return {
    result: run(),
    stop: () => {
      control.abort();
    },
  };
}

export function createModelDisk(files: Pick<Files, 'freeSpace'>): ModelDisk {
  return {
    find: async (folder, path) => {
      try {
        const facts = await stat(join(folder, path));
        // Whole milliseconds survive JSON.
        const changedAt = Math.floor(facts.mtimeMs);
        return facts.isFile() ? { bytes: facts.size, changedAt } : undefined;
      } catch {
        return undefined;
      }
    },
    partialBytes: (folder, path) => sizeOf(partialPath(join(folder, path))),
    hash: (folder, name, onBytes) => {
      const path = join(folder, name);
      const digest = { algorithm: 'sha256', encoding: 'hex' } as const;
      return startJob((signal) => orFailure(path, () => hashFile(path, digest, signal, onBytes)));
    },
    freeSpace: files.freeSpace,
    remove: (folder, paths) =>
      orFailure(folder, async () => {
        for (const path of paths.map((name) => join(folder, name))) {
          await rm(path, { force: true });
          await rm(partialPath(path), { force: true });
        }
        for (const path of new Set(paths.map((name) => dirname(join(folder, name)))))
          if (path !== folder) await removeIfEmpty(path);
        return undefined;
      }),
    reserve: reserveFolder,
  };
}

const lockName = '.parley-download';
/** How long a process may take from creating a lock to writing its id. */
const maxWriteMs = 10_000;
/** The locks of this process. Another lock with its id is of a killed Parley: in a container, ids are reused soon. */
const ownLocks = new Set<string>();

async function reserveFolder(folder: string): Promise<Outcome<() => Promise<void>>> {
  const path = join(folder, lockName);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let attempt = 1; !(await createLock(path)); attempt += 1) {
      if (attempt > 2 || !(await isAbandoned(path))) return failure('modelFolderBusy', { folder });
      await rm(path, { force: true });
    }
  } catch (error) {
    return fileFailure(folder, error);
  }
  ownLocks.add(path);
  return {
    ok: true,
    value: async () => {
      ownLocks.delete(path);
      await rm(path, { force: true });
      await removeIfEmpty(folder);
    },
  };
}

async function createLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  if (ownLocks.has(path)) return false;
  const pid = Number(await readFile(path, 'utf8'));
  const { mtimeMs } = await stat(path);
  // Another process has created the file and is about to write its id.
  if (pid === 0 && Date.now() - mtimeMs < maxWriteMs) return false;
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid || !isRunning(pid)) return true;
  // After a reboot another program may have this id.
  return mtimeMs < Date.now() - uptime() * 1000;
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}
