import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removePath } from './remove-path.ts';
import type { ChatStore, StoredMedia } from '../../ports/chat-store.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { fileFailure } from './file-error.ts';
import { renameFile } from './rename-file.ts';
import { TextFolders } from './text-folders.ts';
import { removeLeftDrafts, writeAtomically } from './write-atomically.ts';

const textName = 'conversation.json';
const goodId = /^[\da-v]{1,64}$/u;
const goodName = /^[\da-v]{1,64}\.(?:jpg|wav)$/u;
const maxMediaBytes = 256 * 1024 * 1024;

/**
 * One folder for each conversation: its text as JSON, its pictures and sounds as files of their own.
 * Only the person who runs Parley may read them.
 */
export function createChatStore(stateFolder: string): ChatStore {
  const folder = join(stateFolder, 'chats');
  const damaged = join(stateFolder, 'damaged-chats');
  const texts = new TextFolders(folder, textName, (name) => goodId.test(name));
  const at = (id: string, name = ''): string => join(folder, id, name);

  async function writeMedia(id: string, { name, bytes }: StoredMedia): Promise<void> {
    if ((await sizeOf(at(id, name))) !== undefined) return;
    const file = bytes();
    if (file !== undefined) await writeAtomically(at(id, name), file);
  }

  async function clear(id: string, media: readonly StoredMedia[]): Promise<void> {
    const named = new Set([textName, ...media.map(({ name }) => name)]);
    for (const name of await readdir(at(id))) {
      if (!named.has(name)) await rm(at(id, name), { force: true });
    }
  }

  return {
    list: () => orFailure(folder, () => texts.list()),
    read: (id) =>
      orFailure(at(id, textName), async () => {
        const text = await texts.read(id);
        await removeLeftDrafts(at(id));
        return text;
      }),
    write: (id, text, media) =>
      orFailure(at(id), async () => {
        check(goodId, id);
        for (const { name } of media) check(goodName, name);
        for (const one of media) await writeMedia(id, one);
        await writeAtomically(at(id, textName), text);
        await clear(id, media);
        return undefined;
      }),
    readMedia: (id, name) =>
      orFailure(at(id, name), async () => {
        check(goodId, id);
        check(goodName, name);
        const size = await sizeOf(at(id, name));
        if (size !== undefined && size > maxMediaBytes) throw new Error('it is too large');
        const file = await readFile(at(id, name));
        return new Uint8Array(file.buffer, file.byteOffset, file.length);
      }),
    setAside: (id) =>
      orFailure(at(id), async () => {
        check(goodId, id);
        await mkdir(damaged, { recursive: true, mode: 0o700 });
        const taken = new Set(await namesIn(damaged));
        let name = id;
        for (let count = 2; taken.has(name); count += 1) name = `${id}-${count}`;
        await renameFile(at(id), join(damaged, name));
        return join(damaged, name);
      }),
    remove: (id) =>
      orFailure(at(id), async () => {
        check(goodId, id);
        await removePath(at(id));
        return undefined;
      }),
    removeAll: () =>
      orFailure(folder, async () => {
        for (const path of [folder, damaged]) await removePath(path);
        return undefined;
      }),
  };
}

/** Ids and names come from our own hands; what is anything else must never become a path. */
function check(good: RegExp, name: string): void {
  if (!good.test(name)) throw new Error('its name is none of Parley’s');
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    // Before the first conversation is kept there is no folder, and that is no fault.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function orFailure<Value>(path: string, work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return fileFailure(path, error);
  }
}
