import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { failure, type Failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import type { HistoryIndex } from '../../recordings/history/history-index.ts';
import { IndexDatabase } from './index-database.ts';
import { takeIndexLock } from './index-lock.ts';

const name = 'index.db';

/**
 * Holds the index open. One that cannot be opened, or turns out to be damaged, is deleted and begun anew; where no file
 * can be written, or another Parley writes it, the index stands in memory for as long as this one runs.
 */
class IndexKeeper {
  readonly #folder: string;
  #database: IndexDatabase | undefined;
  #lock: ReturnType<typeof takeIndexLock>;
  /** A file was of no use: twice is enough. */
  #failed = 0;
  /** What is open stands in the file; or it did when it rested. */
  #kept: boolean;

  constructor(folder: string, wasKept: boolean) {
    this.#folder = folder;
    this.#kept = wasKept;
  }

  /** After a failure the index is another one, and empty. */
  use<Value>(work: (database: IndexDatabase) => Value): Outcome<Value> {
    try {
      const { isMissing } = this;
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
  get isMissing(): boolean {
    return this.#database === undefined && !existsSync(this.#path);
  }

  /** Its file goes with all that stands in it; the next one that is asked for is a new one. */
  clear(): Outcome<undefined> {
    if (this.isMissing) return { ok: true, value: undefined };
    const opened = this.use(() => undefined);
    this.#database?.close();
    this.#database = undefined;
    this.#kept = false;
    if (this.#lock !== undefined) this.#removeFiles();
    return opened;
  }

  get bytes(): number {
    if (!this.#kept) return 0;
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Closes it where another keeper finds there all that this one knew; says whether it did. */
  rest(): boolean {
    if (!this.#kept && (this.#database !== undefined || this.#failed > 0)) return false;
    this.close();
    return true;
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
    this.#lock?.release();
    this.#lock = undefined;
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

/** What is asked of the index, as it goes to its thread. */
export type IndexCall = {
  readonly [Name in Exclude<keyof HistoryIndex, 'close'>]: {
    readonly name: Name;
    readonly input: Parameters<HistoryIndex[Name]>[0];
  };
}[Exclude<keyof HistoryIndex, 'close'>];

/** Where the index is, and what is known of it when its thread begins. */
export interface IndexPlace {
  readonly folder: string;
  /** It was in a file when it rested: one that is not there any more is told as lost. */
  readonly wasKept: boolean;
}

/** Answers calls in the thread that it is made in. */
export function answerIndexCalls({ folder, wasKept }: IndexPlace) {
  const keeper = new IndexKeeper(folder, wasKept);
  return {
    answer: (call: IndexCall): Outcome<unknown> => {
      switch (call.name) {
        case 'known':
          return keeper.isMissing ? none : keeper.use((database) => database.known());
        case 'put':
          return keeper.use((database) => {
            database.put(call.input);
          });
        case 'remove':
          return keeper.isMissing
            ? done
            : keeper.use((database) => {
                database.remove(call.input);
              });
        case 'find':
          return keeper.use((database) => database.find(call.input));
        case 'clear':
          return keeper.clear();
        case 'bytes':
          return { ok: true, value: keeper.bytes };
      }
    },
    rest: () => keeper.rest(),
    close: () => {
      keeper.close();
    },
  };
}

const none = { ok: true, value: [] } as const;
const done = { ok: true, value: undefined } as const;
