import { parseJsonObject, isJsonObject, type JsonValue } from '../../shared/protocol/json.ts';
import type { StateFile } from '../../shared/ports/files.ts';
import type { ModelFile } from './model-catalogue.ts';
import type { FileVersion } from './model-disk.ts';

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
