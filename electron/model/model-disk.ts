import type { Outcome } from '../../shared/errors/app-error.ts';
import type { ModelFile, ModelMirror } from './model-catalogue.ts';

/** Work that can be stopped. The result of stopped work is undefined. */
export interface Job<Value> {
  readonly result: Promise<Outcome<Value> | undefined>;
  readonly stop: () => void;
}

/** Size and time of a file, which change when its content changes. */
export interface FileVersion {
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Folders with model files. Paths are relative to the folder. */
export interface ModelDisk {
  /** Undefined if there is no such file. Follows links. */
  readonly find: (folder: string, path: string) => Promise<FileVersion | undefined>;
  /** Bytes of an interrupted download, 0 if there is none. */
  readonly partialBytes: (folder: string, path: string) => Promise<number>;
  /** SHA-256 in hexadecimal digits. `onBytes` gets the bytes read so far. */
  readonly hash: (folder: string, path: string, onBytes: (bytes: number) => void) => Job<string>;
  readonly freeSpace: (folder: string) => Promise<Outcome<number>>;
  /** Deletes the files, their partial downloads, and folders that are then empty. */
  readonly remove: (folder: string, paths: readonly string[]) => Promise<Outcome<undefined>>;
  /** Creates the folder and reserves it for one process. Returns the release. */
  readonly reserve: (folder: string) => Promise<Outcome<() => Promise<void>>>;
}

export interface ModelFileRequest {
  readonly folder: string;
  readonly file: ModelFile;
  readonly mirror: ModelMirror;
  /** Gets the bytes on disk, including those of an earlier download. */
  readonly onBytes: (bytes: number) => void;
}

/** Downloads one file and checks its checksum. After a failure or a stop, the next call continues the download. */
export type FetchModelFile = (request: ModelFileRequest) => Job<undefined>;
