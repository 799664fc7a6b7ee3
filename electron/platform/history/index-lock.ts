import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../../../shared/harmless-text.ts';
import { isRunning, renameFileAtStart } from '../files/atomic-files.ts';

const touchEveryMs = 60_000;
/** By then the process's number belongs to another program. */
const maxQuietMs = 10 * touchEveryMs;
/** Of this process: a number of our own that is not among these was left by one that had it before us. */
const held = new Set<string>();

interface IndexLock {
  /** Whoever had it before did not give it back: a crash, a kill, a power cut. */
  readonly wasLeft: boolean;
  readonly release: () => void;
}

/**
 * Makes this process the only one that writes the index, until it is released; nothing where another one is it. One that
 * was killed is known by its number.
 */
export function takeIndexLock(path: string): IndexLock | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const wasFree = write(path);
  if (!wasFree && !(removeLeft(path) && write(path))) return undefined;
  held.add(path);
  const touching = setInterval(() => {
    touch(path);
  }, touchEveryMs);
  touching.unref();
  return {
    wasLeft: !wasFree,
    release: () => {
      clearInterval(touching);
      held.delete(path);
      rmSync(path, { force: true });
    },
  };
}

function write(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether there is room for a new one now. */
function removeLeft(path: string): boolean {
  const left = read(path);
  if (left === undefined || !isLeft(path, left)) return false;
  const aside = `${path}.${process.pid}.draft`;
  try {
    renameFileAtStart(path, aside);
  } catch {
    return false;
  }
  // Another Parley may have been quicker, and it is its own that was moved.
  const moved = read(aside);
  if (moved !== left) {
    renameFileAtStart(aside, path);
    return false;
  }
  rmSync(aside, { force: true });
  return true;
}

function isLeft(path: string, text: string): boolean {
  const pid = Number(text);
  if (!Number.isInteger(pid) || pid <= 0) return true;
  if (pid === process.pid) return !held.has(path);
  if (!isRunning(pid)) return true;
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > maxQuietMs;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Its folder was deleted meanwhile; so was the index.
  }
}
