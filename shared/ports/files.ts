import type { AppError, Outcome } from '../errors/app-error.ts';
import type { ExportResult } from '../recordings/export-form.ts';

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

/** How many bytes an ordinary file has; nothing where there is none to be read. */
export function sizeOf(files: Pick<Files, 'openToRead'>, path: string): number | undefined {
  const file = files.openToRead(path);
  if (!file.ok) return undefined;
  file.value.close();
  return file.value.size;
}

/** As much of a file as is wanted, at once. */
export function readNow(
  files: Pick<Files, 'openToRead'>,
  path: string,
  maxBytes: number,
): Outcome<Uint8Array> {
  const file = files.openToRead(path);
  if (!file.ok) return file;
  const bytes = file.value.readNow(0, maxBytes);
  file.value.close();
  return bytes;
}

/** Makes a file and closes it, whatever becomes of what fills it; what went wrong first is said. */
export async function writeFile(
  files: Pick<Files, 'create'>,
  path: string,
  fill: (file: FileWriter) => Promise<Outcome<undefined>>,
): Promise<Outcome<undefined>> {
  const file = await files.create(path);
  if (!file.ok) return file;
  const filled = await fill(file.value);
  const closed = await file.value.close();
  return filled.ok ? closed : filled;
}

/** A file with this in it, and nothing else. */
export async function writeWhole(
  files: Pick<Files, 'create'>,
  path: string,
  content: Uint8Array | string,
): Promise<Outcome<undefined>> {
  const file = await files.create(path);
  if (!file.ok) return file;
  file.value.append(content);
  return file.value.close();
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

/** How a host lets a person keep a file of their own. */
export type SaveWay =
  /** A dialog of the system's, which asks before it takes a name that is there; nothing where it was closed. */
  | {
      readonly kind: 'dialog';
      readonly choose: (name: string) => Promise<string | undefined>;
      /** For several files that belong together. */
      readonly chooseFolder: () => Promise<string | undefined>;
    }
  /** A browser fetches it: from where, once and for a while. */
  | { readonly kind: 'download'; readonly offer: (path: string, name: string) => string };

/** A place that a person has named, or one from which a browser fetches. */
export interface SavePlace {
  /** Where the file is to be written first. */
  readonly draft: string;
  /** What it will be called. */
  readonly path: string;
  /** It is whole. */
  readonly keep: () => Promise<Outcome<ExportResult>>;
  /** Nothing of it is left, and what stood there before stays. */
  readonly drop: () => Promise<void>;
}

/** Asks where; nothing where the person thought better of it. */
export type ChooseSavePlace = (name: string) => Promise<SavePlace | undefined>;

/** Shows one of Parley's own folders to the person; whether that could be done. */
export type OpenFolder = (path: string) => Promise<boolean>;

/** What stands for many bytes: nobody finds others that have the same. */
export interface Digest {
  /** Text is taken as UTF-8. */
  readonly update: (bytes: Uint8Array | string) => void;
  /** How many it has been given. */
  readonly bytes: () => number;
  /** Once, at the end. */
  readonly hex: () => string;
}

/** SHA-256, which a pure room does not have of its own. */
export type StartDigest = () => Digest;

/** One that is stored, and what tells whether it has changed since. */
export interface StoredVersion {
  readonly id: string;
  /** When it was written, in milliseconds since 1970, and after a blank what else tells. */
  readonly version: string;
}

export interface StoredText {
  readonly text: string;
  readonly version: string;
}

/** How much lies in some folders, and how many of the items that count. */
export async function measureAll(
  folders: readonly DataFolder[],
  counts: (item: DataFolderItem) => boolean,
): Promise<Outcome<{ readonly count: number; readonly bytes: number }>> {
  const lists = await Promise.all(folders.map((folder) => folder.list()));
  const items: DataFolderItem[] = [];
  for (const list of lists) {
    if (!list.ok) return list;
    items.push(...list.value);
  }
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  return { ok: true, value: { count: items.filter(counts).length, bytes } };
}
