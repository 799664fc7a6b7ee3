import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  failure,
  type Failure,
  type Outcome,
  describeError,
  errorCode,
} from '../../../shared/errors/app-error.ts';

const draftName = /\.(?<pid>\d+)-\d+\.draft$/;
let drafts = 0;

/**
 * Replaces a file atomically: after a crash or power cut it has the old or the new content. Only this account may read
 * it. If writing fails, it rejects with the system's error and keeps the old content. A kill can leave a draft in
 * `draftFolder`, which must be on the same disk.
 */
export async function writeAtomically(
  path: string,
  content: Uint8Array | string,
  draftFolder = dirname(path),
): Promise<void> {
  const folder = dirname(path);
  drafts += 1;
  const draft = join(draftFolder, `${basename(path)}.${process.pid}-${drafts}.draft`);
  makeFolder(folder);
  try {
    await writeThrough(draft, content);
    await renameFile(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder).catch(() => undefined);
}

/**
 * Creates a folder and its parents, for this account only. Creates the outermost missing folder without `recursive`: in
 * /proc or in a deleted folder that call fails, and Node's recursive `mkdir` would never return.
 */
export function makeFolder(path: string): void {
  let first = path;
  while (!existsSync(dirname(first))) first = dirname(first);
  const options = { mode: 0o700 } as const;
  try {
    mkdirSync(first, options);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  mkdirSync(path, { ...options, recursive: true });
}

/** Removes the drafts of processes that were killed while writing. Never fails. */
export async function removeAbandonedDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter((name) => draftName.test(name)).map((name) => join(folder, name));
  await Promise.allSettled(
    drafts.map(async (path) => {
      if (isAbandoned(draftName.exec(path)?.groups?.['pid']) || (await isOld(path)))
        await rm(path, { force: true });
    }),
  );
}

/** A write takes less than a second. An older draft was abandoned, even if a process with its id runs. */
const maxDraftMs = 10 * 60_000;

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  return Date.now() - mtimeMs > maxDraftMs;
}

/** Whether the process that wrote a draft has ended. The drafts of another running Parley stay. */
function isAbandoned(pid: string | undefined): boolean {
  return pid !== undefined && Number(pid) !== process.pid && !isRunning(Number(pid));
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/**
 * Whether a file's time is before the computer's start. The process id in the file may then belong to another program.
 */
export function isFromBeforeBoot(fileMs: number): boolean {
  return fileMs < Date.now() - uptime() * 1000;
}

/** Writes a file and syncs it to disk, because a power cut could otherwise leave an empty file under the new name. */
async function writeThrough(path: string, content: Uint8Array | string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs the new name to disk. Some systems cannot do that, and the file is complete without it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface System {
  readonly platform: string;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

const thisSystem: System = {
  platform: process.platform,
  // Looked up at each call, because a test replaces the file system in a running Parley.
  rename: (from, to) => rename(from, to),
  wait,
};

/** Each pause is twice as long as the one before: 1023 ms together. */
const firstPauseMs = 33;
const maxAttempts = 6;

/** Renames a file. On Windows this retries for a second, because a virus scanner may hold a new file open. */
export async function renameFile(from: string, to: string, system = thisSystem): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await system.rename(from, to);
      return;
    } catch (error) {
      await system.wait(pauseAfter(error, attempt, system.platform));
    }
  }
}

interface SystemAtStart {
  readonly platform: string;
  readonly rename: (from: string, to: string) => void;
  readonly wait: (milliseconds: number) => void;
}

const thisSystemAtStart: SystemAtStart = {
  platform: process.platform,
  rename: (from, to) => renameSync(from, to),
  wait: (milliseconds) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
};

/** The synchronous variant, for setting a damaged file aside and for the index thread. */
export function renameFileSync(from: string, to: string, system = thisSystemAtStart): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      system.rename(from, to);
      return;
    } catch (error) {
      system.wait(pauseAfter(error, attempt, system.platform));
    }
  }
}

function pauseAfter(error: unknown, attempt: number, platform: string): number {
  if (platform !== 'win32' || attempt === maxAttempts || !isInUse(error)) throw error;
  return firstPauseMs * 2 ** (attempt - 1);
}

function isInUse(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'EPERM' || code === 'EACCES' || code === 'EBUSY';
}

/** Removes a file or folder if it exists. It retries for 1.5 s, because a virus scanner on Windows may hold it. */
export function removePath(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

const fileErrorCodes = {
  ENOENT: 'fileGone',
  ENOTDIR: 'notFolder',
  EEXIST: 'notFolder',
  EISDIR: 'isFolder',
  EACCES: 'noPermission',
  EPERM: 'noPermission',
  EROFS: 'readOnly',
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EMFILE: 'tooManyOpen',
  ENAMETOOLONG: 'pathTooLong',
  EFBIG: 'fileTooLarge',
} as const;

export function fileFailure(path: string, error: unknown): Failure {
  const code = errorCode(error);
  return isKnown(code)
    ? failure(fileErrorCodes[code], { path })
    : failure('fileUnusable', { path, error: describeError(error) });
}

/** Names the missing folder instead of the file, which does not exist yet. */
export function creationFailure(path: string, error: unknown): Failure {
  const folder = dirname(path);
  return fileFailure(existsSync(folder) ? path : folder, error);
}

function isKnown(code: string): code is keyof typeof fileErrorCodes {
  return Object.hasOwn(fileErrorCodes, code);
}

/** Runs file work, and returns a system error as a failure. */
export async function orFailure<Value>(
  path: string,
  work: () => Promise<Value>,
): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return fileFailure(path, error);
  }
}

/** The names in a folder. A folder that does not exist has none. */
export async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
