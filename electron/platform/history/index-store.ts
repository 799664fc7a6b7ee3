import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  done,
  failure,
  type Failure,
  type Outcome,
  describeError,
  errorCode,
} from '../../../shared/errors/app-error.ts';
import type { HistoryRef } from '../../../shared/recordings/history-item.ts';
import type {
  IndexedVersion,
  IndexEntry,
  IndexPage,
  IndexQuery,
} from '../../recordings/history/history-index.ts';
import { isRunning, renameFileSync } from '../files/atomic-files.ts';
import { IndexDatabase } from './history-database.ts';

/** The index's file, and its state in an earlier thread. */
export interface IndexLocation {
  readonly file: string;
  /** Whether the index was a file when it was suspended. If the file is gone now, the index is lost. */
  readonly wasOnDisk: boolean;
}

/**
 * Holds the index open in the current thread. A damaged file is deleted and recreated. If the file
 * cannot be written, or another instance holds the lock, the index lives in memory.
 */
export class IndexStore {
  readonly #path: string;
  #database: IndexDatabase | undefined;
  #lock: ReturnType<typeof takeIndexLock>;
  /** After two failed files the index stays in memory. */
  #failureCount = 0;
  /** Whether the index is a file, or was one when suspended. */
  #onDisk: boolean;

  constructor({ file, wasOnDisk }: IndexLocation) {
    this.#path = file;
    this.#onDisk = wasOnDisk;
  }

  known(): Outcome<readonly IndexedVersion[]> {
    if (this.#isMissing) return { ok: true, value: [] };
    return this.#use((database) => database.known());
  }

  put(entries: readonly IndexEntry[]): Outcome<undefined> {
    return this.#use((database) => {
      database.put(entries);
      return undefined;
    });
  }

  remove(refs: readonly HistoryRef[]): Outcome<undefined> {
    if (this.#isMissing) return done;
    return this.#use((database) => {
      database.remove(refs);
      return undefined;
    });
  }

  find(query: IndexQuery): Outcome<IndexPage> {
    return this.#use((database) => database.find(query));
  }

  /** Deletes the file. The next call creates a new one. */
  clear(): Outcome<undefined> {
    if (this.#isMissing) return done;
    const opened = this.#use(() => undefined);
    this.#database?.close();
    this.#database = undefined;
    this.#onDisk = false;
    if (this.#lock !== undefined) this.#removeFiles();
    return opened;
  }

  bytes(): Outcome<number> {
    const found = this.#onDisk ? statSync(this.#path, { throwIfNoEntry: false }) : undefined;
    return { ok: true, value: found?.size ?? 0 };
  }

  /** Closes the index if a new store can continue from the file. Returns whether it did. */
  suspend(): Outcome<boolean> {
    if (!this.#onDisk && (this.#database !== undefined || this.#failureCount > 0))
      return { ok: true, value: false };
    this.close();
    return { ok: true, value: true };
  }

  close(): Outcome<undefined> {
    this.#database?.close();
    this.#database = undefined;
    this.#lock?.release();
    this.#lock = undefined;
    return done;
  }

  /** Does work with the database. If that fails, the index is discarded, and the next call gets an empty one. */
  #use<Value>(work: (database: IndexDatabase) => Value): Outcome<Value> {
    try {
      const isMissing = this.#isMissing;
      const wasOnDisk = this.#onDisk;
      this.#database ??= this.#open();
      if (wasOnDisk && (isMissing || !this.#onDisk)) return indexLost('its file is gone');
      return { ok: true, value: work(this.#database) };
    } catch (error) {
      this.#discard();
      return indexLost(describeError(error));
    }
  }

  /** Whether there is no index yet, so that there is nothing to read or delete. */
  get #isMissing(): boolean {
    return this.#database === undefined && !existsSync(this.#path);
  }

  #open(): IndexDatabase {
    this.#onDisk = false;
    if (this.#failureCount < 2) {
      try {
        return this.#openFile();
      } catch {
        this.#discard();
      }
    }
    return new IndexDatabase(':memory:');
  }

  #openFile(): IndexDatabase {
    this.#lock ??= takeIndexLock(join(dirname(this.#path), 'index.lock'));
    if (this.#lock === undefined) return new IndexDatabase(':memory:');
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    // A killed process may have left SQLite's lock. The index lock proves that no other process writes.
    rmSync(`${this.#path}.lock`, { recursive: true, force: true });
    let database: IndexDatabase;
    try {
      database = new IndexDatabase(this.#path, this.#lock.wasStale);
    } catch {
      this.#removeFiles();
      database = new IndexDatabase(this.#path);
    }
    this.#onDisk = true;
    return database;
  }

  #discard(): void {
    this.#failureCount += 1;
    this.#onDisk = false;
    try {
      this.#database?.close();
    } catch {
      // The database is being discarded.
    }
    this.#database = undefined;
    if (this.#lock !== undefined) this.#removeFiles();
  }

  #removeFiles(): void {
    for (const suffix of ['', '-journal', '-wal', '-shm', '.lock']) {
      try {
        rmSync(`${this.#path}${suffix}`, { recursive: true, force: true });
      } catch {
        // On a read-only disk the old file stays and is ignored.
      }
    }
  }
}

function indexLost(detail: string): Failure {
  return failure('historyIndexLost', {}, { detail });
}

/** A call to a store as a message: method and input. */
export type IndexCall = {
  readonly [Name in keyof IndexStore]: {
    readonly name: Name;
    readonly input: Parameters<IndexStore[Name]>[0];
  };
}[keyof IndexStore];

export function callIndexStore(store: IndexStore, { name, input }: IndexCall): Outcome<unknown> {
  // The cast is safe, because `IndexCall` pairs each name with its input.
  const method = store[name] as (this: IndexStore, input: unknown) => Outcome<unknown>;
  return method.call(store, input);
}

const refreshIntervalMs = 60_000;
/** A lock without a refresh for this long is stale: another program has its process id now. */
const maxQuietMs = 10 * refreshIntervalMs;
/** Locks held by this process. A file with our process id that is not listed came from an earlier process. */
const heldLocks = new Set<string>();

interface IndexLock {
  /** Whether an earlier holder crashed and left the lock. */
  readonly wasStale: boolean;
  readonly release: () => void;
}

/**
 * Makes this process the only writer of the index. Undefined if another process is. The process id in the file tells
 * whether its holder still runs.
 */
function takeIndexLock(path: string): IndexLock | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const wasFree = writeLock(path);
  if (!wasFree && !(removeStaleLock(path) && writeLock(path))) return undefined;
  heldLocks.add(path);
  const refreshTimer = setInterval(() => refresh(path), refreshIntervalMs);
  refreshTimer.unref();
  return {
    wasStale: !wasFree,
    release: () => {
      clearInterval(refreshTimer);
      heldLocks.delete(path);
      rmSync(path, { force: true });
    },
  };
}

function writeLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a lock whose holder has ended. Returns whether the lock is free now. */
function removeStaleLock(path: string): boolean {
  const stale = readLock(path);
  if (stale === undefined || !isStale(path, stale)) return false;
  const aside = `${path}.${process.pid}.draft`;
  try {
    renameFileSync(path, aside);
  } catch {
    return false;
  }
  // If another instance replaced the stale lock first, the rename has moved its new lock.
  const moved = readLock(aside);
  if (moved !== stale) {
    renameFileSync(aside, path);
    return false;
  }
  rmSync(aside, { force: true });
  return true;
}

function isStale(path: string, text: string): boolean {
  const pid = Number(text);
  if (!Number.isInteger(pid) || pid <= 0) return true;
  if (pid === process.pid) return !heldLocks.has(path);
  if (!isRunning(pid)) return true;
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > maxQuietMs;
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function refresh(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // The folder was deleted, and the index with it.
  }
}
