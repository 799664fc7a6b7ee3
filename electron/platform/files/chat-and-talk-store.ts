import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredText, StoredVersion } from '../../../shared/ports/files.ts';
import type { ChatStore, StoredMedia } from '../../chat/stored-chat.ts';
import type { TalkStore } from '../../recordings/history/talk-source.ts';
import {
  listNames,
  orFailure,
  removeAbandonedDrafts,
  removePath,
  renameFile,
  writeAtomically,
} from './atomic-files.ts';

const chatFile = 'conversation.json';
const idPattern = /^[\da-v]{1,64}$/u;
const mediaNamePattern = /^[\da-v]{1,64}\.(?:jpg|wav)$/u;
const maxMediaBytes = 256 * 1024 * 1024;

/**
 * Stores each chat in a folder: its text as JSON, pictures and sounds as files. Only this account may read them. Drafts
 * are beside these folders, where Parley finds those of killed processes at its start without reading every folder.
 */
export function createChatStore(stateFolder: string): ChatStore {
  const folder = join(stateFolder, 'chats');
  const damaged = join(stateFolder, 'damaged-chats');
  const texts = new TextFolders(folder, chatFile, (name) => idPattern.test(name));
  const pathOf = (id: string, name = ''): string => join(folder, id, name);

  async function writeMedia(id: string, { name, bytes }: StoredMedia): Promise<void> {
    if ((await sizeOf(pathOf(id, name))) !== undefined) return;
    const file = bytes();
    if (file !== undefined) await writeAtomically(pathOf(id, name), file, folder);
  }

  async function clear(id: string, media: readonly StoredMedia[]): Promise<void> {
    const keptNames = new Set([chatFile, ...media.map(({ name }) => name)]);
    for (const name of await readdir(pathOf(id))) {
      if (!keptNames.has(name)) await rm(pathOf(id, name), { force: true });
    }
  }

  return {
    list: () => orFailure(folder, () => texts.list()),
    read: (id) =>
      orFailure(pathOf(id, chatFile), async () => {
        const text = await texts.read(id);
        await removeAbandonedDrafts(pathOf(id));
        return text;
      }),
    write: (id, text, media) =>
      orFailure(pathOf(id), async () => {
        requireName(idPattern, id);
        for (const { name } of media) requireName(mediaNamePattern, name);
        requireReadable(text);
        for (const file of media) await writeMedia(id, file);
        await writeAtomically(pathOf(id, chatFile), text, folder);
        await clear(id, media);
        return undefined;
      }),
    readMedia: (id, name) =>
      orFailure(pathOf(id, name), async () => {
        requireName(idPattern, id);
        requireName(mediaNamePattern, name);
        const size = await sizeOf(pathOf(id, name));
        if (size !== undefined && size > maxMediaBytes) throw new Error('the file is too large');
        const file = await readFile(pathOf(id, name));
        return new Uint8Array(file.buffer, file.byteOffset, file.length);
      }),
    setAside: (id) =>
      orFailure(pathOf(id), async () => {
        requireName(idPattern, id);
        await mkdir(damaged, { recursive: true, mode: 0o700 });
        const usedNames = new Set(await listNames(damaged));
        let name = id;
        for (let count = 2; usedNames.has(name); count += 1) name = `${id}-${count}`;
        await renameFile(pathOf(id), join(damaged, name));
        return join(damaged, name);
      }),
    remove: (id) =>
      orFailure(pathOf(id), async () => {
        requireName(idPattern, id);
        await removePath(pathOf(id));
        return undefined;
      }),
    removeAll: () =>
      orFailure(folder, async () => {
        for (const path of [folder, damaged]) await removePath(path);
        return undefined;
      }),
  };
}

/** Throws unless a name has this form, because ids and names become parts of paths. */
function requireName(pattern: RegExp, name: string): void {
  if (!pattern.test(name)) throw new Error('the file name is not one that Parley writes');
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}

const talkFile = 'talk.json';
const maxPictureBytes = 16 * 1024 * 1024;

/** Stores each talk in a folder: `talks/<stamp>/talk.json` with its pictures. Drafts are beside these folders, too. */
export function createTalkStore(stateFolder: string): TalkStore {
  const path = join(stateFolder, 'talks');
  const folders = new TextFolders(path, talkFile, isPlainName);
  const pathOf = (id: string, name = ''): string => join(path, id, name);

  const write = (id: string, name: string, content: Uint8Array | string) =>
    orFailure(pathOf(id, name), async () => {
      if (!isPlainName(id) || !isPlainName(name))
        throw new Error('the file name is not one that Parley writes');
      requireReadable(content);
      await writeAtomically(pathOf(id, name), content, path);
      return undefined;
    });

  return {
    path,
    list: () => orFailure(path, () => folders.list()),
    read: (id) => orFailure(pathOf(id, talkFile), () => folders.read(id)),
    write: (id, text) => write(id, talkFile, text),
    writePicture: write,
    readPicture: (id, file) =>
      orFailure(pathOf(id, file), async () => {
        if (!isPlainName(file)) throw new Error('the file name is not one that Parley writes');
        return new Uint8Array((await folders.readFile(id, file, maxPictureBytes)).bytes);
      }),
    remove: (id) =>
      orFailure(pathOf(id), async () => {
        if (isPlainName(id)) await removePath(pathOf(id));
        return undefined;
      }),
  };
}

/** Whether a name has no separators and does not begin with a dot. */
function isPlainName(name: string): boolean {
  return /^[^./\\\0][^/\\\0]{0,254}$/u.test(name);
}

const parallelReads = 64;
const maxTextBytes = 16 * 1024 * 1024;

/** A folder of folders that each have a text file of the same name. Links are ignored, because they may lead anywhere. */
class TextFolders {
  readonly #path: string;
  readonly #textName: string;
  readonly #isName: (name: string) => boolean;

  constructor(path: string, textName: string, isName: (name: string) => boolean) {
    this.#path = path;
    this.#textName = textName;
    this.#isName = isName;
  }

  async list(): Promise<readonly StoredVersion[]> {
    const names = (await listNames(this.#path)).filter(this.#isName);
    const stored: StoredVersion[] = [];
    for (let from = 0; from < names.length; from += parallelReads) {
      const part = names.slice(from, from + parallelReads);
      const versions = await Promise.all(part.map((id) => this.#versionOf(id)));
      for (const [index, version] of versions.entries()) {
        const id = part[index];
        if (id !== undefined && version !== undefined) stored.push({ id, version });
      }
    }
    return stored;
  }

  async read(id: string): Promise<StoredText> {
    const { bytes, version } = await this.readFile(id, this.#textName, maxTextBytes);
    return { text: bytes.toString('utf8'), version };
  }

  /** Reads a file of a folder. Follows no link, and does not block on a pipe. */
  async readFile(id: string, name: string, maxBytes: number) {
    await this.#check(id);
    const path = join(this.#path, id, name);
    const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) throw missingError(path);
      if (facts.size > maxBytes) throw tooLargeError();
      return { bytes: await handle.readFile(), version: versionIn(facts) };
    } finally {
      await handle.close();
    }
  }

  async #check(id: string): Promise<void> {
    const path = join(this.#path, id);
    if (!this.#isName(id) || !(await lstat(path)).isDirectory()) throw missingError(path);
  }

  async #versionOf(id: string): Promise<string | undefined> {
    try {
      const path = join(this.#path, id);
      if (!(await lstat(path)).isDirectory()) return undefined;
      const facts = await lstat(join(path, this.#textName));
      return facts.isFile() ? versionIn(facts) : undefined;
    } catch {
      return undefined;
    }
  }
}

function versionIn({ mtimeMs, size }: { readonly mtimeMs: number; readonly size: number }): string {
  return `${mtimeMs} ${size}`;
}

/** Throws if a file with this content could not be read again, so that the file keeps what it has. */
function requireReadable(content: Uint8Array | string): void {
  if (Buffer.byteLength(content) > maxTextBytes) throw tooLargeError();
}

function tooLargeError(): Error {
  return Object.assign(new Error('the file is too large'), { code: 'EFBIG' });
}

function missingError(path: string): Error {
  return Object.assign(new Error(`${path} does not exist`), { code: 'ENOENT' });
}
