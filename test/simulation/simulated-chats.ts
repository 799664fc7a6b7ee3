import type { ChatStore } from '../../electron/chat/stored-chat.ts';
import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { DiskAccess } from './simulated-disk.ts';
const folder = '/chats';
const textName = 'conversation.json';

/** Stores written conversations on a simulated disk; every file is written whole. */
export function simulatedChats(access: DiskAccess): ChatStore {
  const { disk } = access;
  const at = (id: string, name: string): string => `${folder}/${id}/${name}`;
  const versionOf = (path: string): string =>
    `${disk.changedAt(path)} ${disk.read(path)?.length ?? 0}`;
  const put = (path: string, content: Uint8Array | string): Promise<Outcome<undefined>> =>
    access.later(path, () => (disk.put(path, content) ? done : failure('diskFull', { path })));
  return {
    list: () =>
      access.later(folder, () => ({
        ok: true,
        value: disk
          .paths(`${folder}/`)
          .filter((path) => path.endsWith(`/${textName}`))
          .map((path) => ({ id: path.split('/', 3)[2] ?? '', version: versionOf(path) })),
      })),
    read: (id) =>
      access.later(at(id, textName), () => {
        const path = at(id, textName);
        const text = disk.text(path);
        return text === undefined
          ? failure('fileGone', { path })
          : { ok: true, value: { text, version: versionOf(path) } };
      }),
    write: async (id, text, media) => {
      for (const { name, bytes } of media) {
        const file = disk.has(at(id, name)) ? undefined : bytes();
        const written = file === undefined ? done : await put(at(id, name), file);
        if (!written.ok) return written;
      }
      return put(at(id, textName), text);
    },
    readMedia: (id, name) =>
      access.later(at(id, name), () => {
        const path = at(id, name);
        const bytes = disk.read(path);
        return bytes === undefined ? failure('fileGone', { path }) : { ok: true, value: bytes };
      }),
    setAside: (id) =>
      access.later(folder, () => {
        const aside = `/damaged-chats/${id}`;
        disk.move(`${folder}/${id}`, aside);
        return { ok: true, value: aside };
      }),
    remove: (id) =>
      access.later(folder, () => {
        disk.remove(`${folder}/${id}`);
        return done;
      }),
    removeAll: () =>
      access.later(folder, () => {
        disk.remove(folder);
        disk.remove('/damaged-chats');
        return done;
      }),
  };
}
