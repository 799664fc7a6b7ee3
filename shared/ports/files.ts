import type { AppError, Outcome } from '../errors/app-error.ts';
import type { ExportResult } from '../recordings/export-format.ts';

/** Files that the user names. Errors include the path. */
export interface Files {
  readonly read: (path: string, maxBytes: number) => Promise<Outcome<Uint8Array>>;
  readonly readText: (path: string, maxBytes: number) => Promise<Outcome<string>>;
  /** Opens a regular file. Refuses folders, links, pipes and devices before it opens them. */
  readonly openToRead: (path: string) => Outcome<ReadableFile>;
  /** Creates or truncates a file. Writes run in order. `onError` gets the first error at once. */
  readonly create: (
    path: string,
    onError?: (error: AppError) => void,
  ) => Promise<Outcome<FileWriter>>;
  /** Free bytes on the disk of a path. The path need not exist. */
  readonly freeSpace: (path: string) => Promise<Outcome<number>>;
  /** Creates a folder if needed. Refuses a folder that is not empty. */
  readonly createFolder: (path: string) => Promise<Outcome<undefined>>;
}

export interface ReadableFile {
  /** The size when it was opened. */
  readonly size: number;
  /** Reads up to `length` bytes. An empty result means the end of the file. */
  readonly read: (offset: number, length: number) => Promise<Outcome<Uint8Array>>;
  /** Reads `length` bytes, or fewer at the end of the file. Synchronous, because the clock of a replay does not wait. */
  readonly readNow: (offset: number, length: number) => Outcome<Uint8Array>;
  /** Must be called once only. */
  readonly close: () => void;
}

export interface FileWriter {
  readonly append: (bytes: Uint8Array | string) => void;
  /** Overwrites earlier bytes, such as a length in a header. */
  readonly writeAt: (offset: number, bytes: Uint8Array) => void;
  /**
   * Retries failed writes and accepts new ones. The writer has kept only the first few megabytes since the failure. The
   * file has zeros in place of the rest.
   */
  readonly resume: () => Promise<Outcome<undefined>>;
  /** Whether the file is still found under its name. A deleted file accepts all writes. */
  readonly exists: () => boolean;
  /** Fails with the first error since the file was opened or resumed, such as a full disk. */
  readonly close: () => Promise<Outcome<undefined>>;
  readonly discard: () => Promise<Outcome<undefined>>;
}

/** The size of a regular file, or undefined if it cannot be opened. */
export function fileSize(files: Pick<Files, 'openToRead'>, path: string): number | undefined {
  const file = files.openToRead(path);
  if (!file.ok) return undefined;
  file.value.close();
  return file.value.size;
}

/** Reads the first `maxBytes` of a file synchronously. */
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

/** Creates a file, runs `fill` and always closes. Returns the first error. */
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

export async function writeContent(
  files: Pick<Files, 'create'>,
  path: string,
  content: Uint8Array | string,
): Promise<Outcome<undefined>> {
  const file = await files.create(path);
  if (!file.ok) return file;
  file.value.append(content);
  return file.value.close();
}

/** A small text file of Parley's state. A write is atomic. */
export interface StateFile {
  /** Synchronous, because the first window needs it. Undefined if the file does not exist. */
  readonly read: () => Outcome<string | undefined>;
  /** A concurrent reader gets the old text or the new text. */
  readonly write: (text: string) => Promise<Outcome<undefined>>;
  /** Keeps the current content under a new name and returns that name. */
  readonly setAside: () => Outcome<string>;
}

/** State that is valid while this process runs. A file whose process has ended was left by a crash. */
export interface JournalFile {
  readonly write: (text: string) => Promise<Outcome<undefined>>;
  readonly remove: () => Promise<void>;
  /** The content of files whose process no longer runs. */
  readonly readStale: () => Promise<readonly string[]>;
  readonly removeStale: () => Promise<void>;
}

/** A data folder of Parley. Methods handle its direct children only. */
export interface DataFolder {
  readonly path: string;
  /** Creates the folder if needed, readable by this account only. */
  readonly make: () => Promise<Outcome<undefined>>;
  /** Lists names without their sizes and times. */
  readonly names: () => Promise<Outcome<readonly string[]>>;
  /** An empty list if the folder does not exist. */
  readonly list: () => Promise<Outcome<readonly DataFolderItem[]>>;
  /** Finds one item without reading the others. */
  readonly find: (name: string) => Promise<Outcome<DataFolderItem | undefined>>;
  /** Names of items last changed before `time`, in milliseconds since 1970. */
  readonly unchangedSince: (time: number) => Promise<Outcome<readonly string[]>>;
  readonly remove: (name: string) => Promise<Outcome<undefined>>;
  readonly move: (name: string, to: string) => Promise<Outcome<undefined>>;
}

export interface DataFolderItem {
  readonly name: string;
  /** The total size, if the item is a folder. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** How a host saves a file for the user. */
export type SaveMethod =
  /** A system dialog, which confirms before it overwrites a file. Undefined if the user cancels. */
  | {
      readonly kind: 'dialog';
      readonly choose: (name: string) => Promise<string | undefined>;
      /** For exports of several files. */
      readonly chooseFolder: () => Promise<string | undefined>;
    }
  /** A browser downloads it. `offer` returns an address that works once, for a limited time. */
  | { readonly kind: 'download'; readonly offer: (path: string, name: string) => string };

/** The system's dialogs for existing files and folders. Undefined if the user cancels. */
export interface OpenMethod {
  readonly chooseFile: () => Promise<string | undefined>;
  readonly chooseFolder: () => Promise<string | undefined>;
}

/** A chosen destination: a path, or a pending browser download. */
export interface SaveTarget {
  /** The temporary path to write to. */
  readonly draft: string;
  /** The final path or name. */
  readonly path: string;
  /** Publishes the finished draft. */
  readonly commit: () => Promise<Outcome<ExportResult>>;
  /** Deletes the draft. An existing file at the destination stays. */
  readonly discard: () => Promise<void>;
}

/** Asks the user for a destination. Undefined if the user cancels. */
export type ChooseSaveTarget = (name: string) => Promise<Outcome<SaveTarget | undefined>>;

/** Opens a folder of Parley for the user. False if that failed. */
export type OpenFolder = (path: string) => Promise<boolean>;

export interface Digest {
  readonly update: (bytes: Uint8Array | string) => void;
  readonly bytes: () => number;
  /** Ends the digest. Must be called once only. */
  readonly hex: () => string;
}

/** Starts a SHA-256 digest, which pure code has no implementation of. */
export type StartDigest = () => Digest;

/** A stored item and a version string that changes with its content. */
export interface StoredVersion {
  readonly id: string;
  /** The modification time in milliseconds since 1970, then a space and other file metadata. */
  readonly version: string;
}

export interface StoredText {
  readonly text: string;
  readonly version: string;
}

/** Returns the total bytes in the folders, and how many items match. */
export async function measureFolders(
  folders: readonly DataFolder[],
  matches: (item: DataFolderItem) => boolean,
): Promise<Outcome<{ readonly count: number; readonly bytes: number }>> {
  const lists = await Promise.all(folders.map((folder) => folder.list()));
  const items: DataFolderItem[] = [];
  for (const list of lists) {
    if (!list.ok) return list;
    items.push(...list.value);
  }
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  return { ok: true, value: { count: items.filter(matches).length, bytes } };
}
