import type { AppError } from '../../shared/errors/app-error.ts';
import type { Outcome } from './outcome.ts';

/** Files the person names. Errors have the path among their facts. */
export interface Files {
  readonly read: (path: string, maxBytes: number) => Promise<Outcome<Uint8Array>>;
  readonly readText: (path: string, maxBytes: number) => Promise<Outcome<string>>;
  /** Opens an ordinary file; a folder, a link, a pipe or a device is refused without being opened. */
  readonly openToRead: (path: string) => Outcome<ReadableFile>;
  /**
   * Makes or empties a file. Writes are queued in order; `close` waits for them. The first thing
   * that goes wrong is also reported at once, where somebody wants to know.
   */
  readonly create: (
    path: string,
    onError?: (error: AppError) => void,
  ) => Promise<Outcome<FileWriter>>;
  /** How many bytes can still be written below a path, which need not be there yet. */
  readonly room: (path: string) => Promise<Outcome<number>>;
  /** Makes the folder where it is missing; refuses one that already holds something. */
  readonly createFolder: (path: string) => Promise<Outcome<undefined>>;
}

/** An ordinary file that is open, and read where something of it is wanted. */
export interface ReadableFile {
  /** How long it was when it was opened. */
  readonly size: number;
  /** Something of what was asked for; nothing at the end. */
  readonly read: (offset: number, length: number) => Promise<Outcome<Uint8Array>>;
  /** All of it, as far as the file goes, and at once: a replay's clock does not wait. */
  readonly readNow: (offset: number, length: number) => Outcome<Uint8Array>;
  /** Once. */
  readonly close: () => void;
}

export interface FileWriter {
  readonly append: (bytes: Uint8Array | string) => void;
  /** Overwrites what was written before, such as a length in a header. */
  readonly writeAt: (offset: number, bytes: Uint8Array) => void;
  /**
   * After something went wrong: writes what could not be written then, and takes more. What came to more than a few megabytes
   * meanwhile is left out: zeros stand there.
   */
  readonly resume: () => Promise<Outcome<undefined>>;
  /** Whether what is written can still be found under its name; one that was deleted takes all writes. */
  readonly isThere: () => boolean;
  /** The first thing that went wrong since it was opened (a full disk…), or nothing. */
  readonly close: () => Promise<Outcome<undefined>>;
  /** Closes it and takes the file away: nothing came that is worth keeping. */
  readonly discard: () => Promise<Outcome<undefined>>;
}

/** A small text that Parley keeps for itself, whole or not at all. */
export interface StateFile {
  /** At once and not in steps, because it is needed before anything is shown; nothing where there is none. */
  readonly read: () => Outcome<string | undefined>;
  /** Replaces it; whoever reads meanwhile finds the old text or the new one. */
  readonly write: (text: string) => Promise<Outcome<undefined>>;
  /** Keeps what stands there now under another name, which is given back, out of the way of the next write. */
  readonly setAside: () => Outcome<string>;
}

/** What is true as long as this process runs: one that is found without its process was left by a crash. */
export interface JournalFile {
  readonly write: (text: string) => Promise<Outcome<undefined>>;
  readonly remove: () => Promise<void>;
  /** Those of processes that run no more. */
  readonly left: () => Promise<readonly string[]>;
  readonly removeLeft: () => Promise<void>;
}

/** A folder of Parley's own, by what lies at its top. */
export interface DataFolder {
  readonly path: string;
  /** Makes it where it is missing, for this account alone. */
  readonly make: () => Promise<Outcome<undefined>>;
  /** What it lists, without looking into it. */
  readonly names: () => Promise<Outcome<readonly string[]>>;
  /** Nothing where there is no folder yet. */
  readonly list: () => Promise<Outcome<readonly DataFolderItem[]>>;
  /** One of what it lists, without a look at the others; nothing where there is none of this name. */
  readonly find: (name: string) => Promise<Outcome<DataFolderItem | undefined>>;
  /** Those of what it lists that were changed before this moment, without looking into them. */
  readonly unchangedSince: (time: number) => Promise<Outcome<readonly string[]>>;
  /** One of what it lists, for good. */
  readonly remove: (name: string) => Promise<Outcome<undefined>>;
  /** One of what it lists, to a path on the same disk. */
  readonly move: (name: string, to: string) => Promise<Outcome<undefined>>;
}

export interface DataFolderItem {
  readonly name: string;
  /** With everything in it, where it is a folder. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}
