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
import { failure, type Failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeError, errorCode } from '../../../shared/harmless-text.ts';
import type { HistoryRef } from '../../../shared/recordings/history-item.ts';
import type {
  IndexedVersion,
  IndexEntry,
  IndexPage,
  IndexQuery,
} from '../../recordings/history/history-index.ts';
import { isRunning, renameFileSync } from '../files/atomic-files.ts';
import { IndexDatabase } from './history-database.ts';

const name = 'index.db';

/** Where the index is, and what is known of it when its thread begins. */
export interface IndexPlace {
  readonly folder: string;
  /** It was in a file when it rested: one that is not there any more is told as lost. */
  readonly wasKept: boolean;
}

/**
 * Holds the index open, in the thread that it is made in. One that cannot be opened, or turns out to be damaged, is deleted
 * and begun anew; where no file can be written, or another Parley writes it, the index stands in memory for as long as this
 * one runs.
 */
export class IndexKeeper {
  readonly #folder: string;
  #database: IndexDatabase | undefined;
  #lock: ReturnType<typeof takeIndexLock>;
  /** A file was of no use: twice is enough. */
  #failed = 0;
  /** What is open stands in the file; or it did when it rested. */
  #kept: boolean;

  constructor({ folder, wasKept }: IndexPlace) {
    this.#folder = folder;
    this.#kept = wasKept;
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

  /** Its file goes with all that stands in it; the next one that is asked for is a new one. */
  clear(): Outcome<undefined> {
    if (this.#isMissing) return done;
    const opened = this.#use(() => undefined);
    this.#database?.close();
    this.#database = undefined;
    this.#kept = false;
    if (this.#lock !== undefined) this.#removeFiles();
    return opened;
  }

  bytes(): Outcome<number> {
    const found = this.#kept ? statSync(this.#path, { throwIfNoEntry: false }) : undefined;
    return { ok: true, value: found?.size ?? 0 };
  }

  /** Closes it where another keeper finds there all that this one knew; says whether it did. */
  rest(): Outcome<boolean> {
    if (!this.#kept && (this.#database !== undefined || this.#failed > 0))
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

  /** After a failure the index is another one, and empty. */
  #use<Value>(work: (database: IndexDatabase) => Value): Outcome<Value> {
    try {
      const isMissing = this.#isMissing;
      const wasKept = this.#kept;
      this.#database ??= this.#open();
      if (wasKept && (isMissing || !this.#kept)) return lost('its file is not to be had any more');
      return { ok: true, value: work(this.#database) };
    } catch (error) {
      this.#discard();
      return lost(describeError(error));
    }
  }

  /** There is none yet, and nothing to be taken out of it. */
  get #isMissing(): boolean {
    return this.#database === undefined && !existsSync(this.#path);
  }

  get #path(): string {
    return join(this.#folder, name);
  }

  #open(): IndexDatabase {
    this.#kept = false;
    if (this.#failed < 2) {
      try {
        return this.#openFile();
      } catch {
        this.#discard();
      }
    }
    return new IndexDatabase(':memory:');
  }

  #openFile(): IndexDatabase {
    this.#lock ??= takeIndexLock(join(this.#folder, 'index.lock'));
    if (this.#lock === undefined) return new IndexDatabase(':memory:');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    // SQLite's own lock, left by a process that was killed while it wrote: we are the only one here.
    rmSync(`${this.#path}.lock`, { recursive: true, force: true });
    let database: IndexDatabase;
    try {
      database = new IndexDatabase(this.#path, this.#lock.wasLeft);
    } catch {
      this.#removeFiles();
      database = new IndexDatabase(this.#path);
    }
    this.#kept = true;
    return database;
  }

  #discard(): void {
    this.#failed += 1;
    this.#kept = false;
    try {
      this.#database?.close();
    } catch {
      // It is given up in any case.
    }
    this.#database = undefined;
    if (this.#lock !== undefined) this.#removeFiles();
  }

  #removeFiles(): void {
    for (const ending of ['', '-journal', '-wal', '-shm', '.lock']) {
      try {
        rmSync(`${this.#path}${ending}`, { recursive: true, force: true });
      } catch {
        // A read-only disk: what is there is not used.
      }
    }
  }
}

function lost(detail: string): Failure {
  return failure('historyIndexLost', {}, { detail });
}

const done = { ok: true, value: undefined } as const;

/** What of a keeper is called, by its name and with what it takes, as it goes to its thread. */
export type IndexCall = {
  readonly [Name in keyof IndexKeeper]: {
    readonly name: Name;
    readonly input: Parameters<IndexKeeper[Name]>[0];
  };
}[keyof IndexKeeper];

export function callKeeper(keeper: IndexKeeper, { name, input }: IndexCall): Outcome<unknown> {
  // What belongs to which name is said by the type of a call.
  const method = keeper[name] as (this: IndexKeeper, input: unknown) => Outcome<unknown>;
  return method.call(keeper, input);
}

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
function takeIndexLock(path: string): IndexLock | undefined {
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
    renameFileSync(path, aside);
  } catch {
    return false;
  }
  // Another Parley may have been quicker, and it is its own that was moved.
  const moved = read(aside);
  if (moved !== left) {
    renameFileSync(aside, path);
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
