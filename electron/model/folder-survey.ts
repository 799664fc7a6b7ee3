import { appError, type AppError } from '../../shared/errors/app-error.ts';
import { modelReserveBytes } from '../../shared/model/local-model-state.ts';
import type { ModelCatalogue, ModelFile } from './model-catalogue.ts';
import type { FileVersion, ModelDisk } from './model-disk.ts';
import { isJsonObject, type JsonValue, parseJsonObject } from '../../shared/protocol/json.ts';
import type { StateFile } from '../../shared/ports/files.ts';

/** Limit on the names in an error, because a folder without the model lacks all ten files. */
const maxNames = 3;

export interface SurveyedFile {
  readonly file: ModelFile;
  readonly kind: 'verified' | 'unverified' | 'otherSize' | 'missing';
  /** Bytes that need not be downloaded. */
  readonly bytes: number;
}

/** Compares names, sizes and times, without reading a file. */
export function surveyFolder(
  { catalogue, disk }: { readonly catalogue: ModelCatalogue; readonly disk: ModelDisk },
  verified: VerifiedFiles,
  folder: string,
): Promise<readonly SurveyedFile[]> {
  return Promise.all(
    catalogue.files.map(async (file): Promise<SurveyedFile> => {
      const found = await disk.find(folder, file.path);
      if (found === undefined) {
        const bytes = await disk.partialBytes(folder, file.path);
        return { file, kind: 'missing', bytes: Math.min(bytes, file.bytes) };
      }
      if (found.bytes !== file.bytes) return { file, kind: 'otherSize', bytes: 0 };
      const isVerified = verified.isVerified(folder, file, found);
      return { file, kind: isVerified ? 'verified' : 'unverified', bytes: file.bytes };
    }),
  );
}

/** The error of a folder with missing files or files of another size. */
export function findIncomplete(
  folder: string,
  surveyed: readonly SurveyedFile[],
): AppError | undefined {
  const missing = surveyed.filter(({ kind }) => kind === 'missing').map(({ file }) => file.path);
  if (missing.length > 0) {
    const names = missing.slice(0, maxNames).join(', ');
    return appError('modelFilesMissing', {
      folder,
      names: missing.length > maxNames ? `${names}, …` : names,
    });
  }
  const other = surveyed.find(({ kind }) => kind === 'otherSize');
  return other && appError('modelFileSize', { folder, name: other.file.path });
}

/** The error if the disk has no room for the remaining bytes and the reserve. */
export async function findShortage(
  disk: ModelDisk,
  folder: string,
  remaining: number,
): Promise<AppError | undefined> {
  const free = await disk.freeSpace(folder);
  const needed = remaining + modelReserveBytes;
  // Some network folders do not report free space; there, the download fails once the disk is full.
  if (remaining === 0 || !free.ok || free.value >= needed) return undefined;
  return appError('modelSpace', {
    folder,
    neededGb: formatGb(needed, Math.ceil),
    freeGb: formatGb(free.value, Math.floor),
  });
}

export async function fullDiskError(
  disk: ModelDisk,
  folder: string,
  remaining: number,
): Promise<AppError> {
  const free = await disk.freeSpace(folder);
  const needed = remaining + modelReserveBytes - (free.ok ? free.value : 0);
  // A quota can be used up although the disk has room.
  const neededGb = formatGb(needed > 0 ? needed : remaining, Math.ceil);
  return appError('modelDiskFull', { folder, neededGb });
}

function formatGb(bytes: number, round: (value: number) => number): string {
  return (round(bytes / 1e8) / 10).toFixed(1);
}

interface FolderRecord {
  /** Parley created the files and may delete them. */
  readonly isOwn: boolean;
  /** By path: `<bytes> <changedAt> <sha256>` of a file whose checksum was right. */
  readonly files: Readonly<Record<string, string>>;
}

/** Limit on remembered folders, more than a user is likely to try. The oldest is dropped. */
const maxFolders = 20;

/** Remembers verified files by size and time, because hashing 8.9 GB takes half a minute. */
export class VerifiedFiles {
  readonly #file: StateFile;

  constructor(file: StateFile) {
    this.#file = file;
  }

  isVerified(folder: string, file: ModelFile, version: FileVersion): boolean {
    return this.#read().get(folder)?.files[file.path] === entryOf(file, version);
  }

  isOwn(folder: string): boolean {
    return this.#read().get(folder)?.isOwn === true;
  }

  claim(folder: string): Promise<void> {
    return this.#change(folder, (record) => ({ ...record, isOwn: true }));
  }

  async remember(folder: string, file: ModelFile, version: FileVersion): Promise<void> {
    const entry = entryOf(file, version);
    await this.#change(folder, ({ files, ...rest }) => ({
      ...rest,
      files: { ...files, [file.path]: entry },
    }));
  }

  async forgetFile(folder: string, { path }: ModelFile): Promise<void> {
    await this.#change(folder, ({ files, ...rest }) => ({
      ...rest,
      files: Object.fromEntries(Object.entries(files).filter(([name]) => name !== path)),
    }));
  }

  async forget(folder: string): Promise<void> {
    const folders = this.#read();
    if (folders.delete(folder)) await this.#write(folders);
  }

  async #change(folder: string, change: (record: FolderRecord) => FolderRecord): Promise<void> {
    const folders = this.#read();
    const record = change(folders.get(folder) ?? { isOwn: false, files: {} });
    folders.delete(folder);
    await this.#write(new Map([...folders, [folder, record] as const].slice(-maxFolders)));
  }

  /** Read each time, because another Parley may have written meanwhile. */
  #read(): Map<string, FolderRecord> {
    const text = this.#file.read();
    const content = text.ok && text.value !== undefined ? parseJsonObject(text.value) : undefined;
    const folders = content?.['folders'];
    if (folders === undefined || !isJsonObject(folders)) return new Map();
    return new Map(Object.entries(folders).map(([folder, value]) => [folder, toRecord(value)]));
  }

  /** If it cannot be written, the files are hashed again. */
  async #write(folders: ReadonlyMap<string, FolderRecord>): Promise<void> {
    await this.#file.write(JSON.stringify({ folders: Object.fromEntries(folders) }));
  }
}

function entryOf({ sha256 }: ModelFile, { bytes, changedAt }: FileVersion): string {
  return `${bytes} ${changedAt} ${sha256}`;
}

function toRecord(value: JsonValue): FolderRecord {
  const { isOwn, files } = isJsonObject(value) ? value : {};
  const entries = isJsonObject(files) ? Object.entries(files) : [];
  const known = entries.flatMap(([path, entry]) =>
    typeof entry === 'string' ? [[path, entry] as const] : [],
  );
  return { isOwn: isOwn === true, files: Object.fromEntries(known) };
}
