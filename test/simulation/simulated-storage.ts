import type { ChatStore } from '../../electron/chat/stored-chat.ts';
import type { TalkStore } from '../../electron/recordings/history/talk-source.ts';
import { done, failure, type Failure, type Outcome } from '../../shared/errors/app-error.ts';
import type {
  DataFolder,
  DataFolderItem,
  Files,
  FileWriter,
  JournalFile,
  StateFile,
} from '../../shared/ports/files.ts';
import type { DiskAccess } from './simulated-disk.ts';

/** Parley's storage ports on a simulated disk. */
export interface SimulatedStorage {
  readonly stateFile: (name: string) => StateFile;
  readonly journal: JournalFile;
  readonly folder: (path: string) => DataFolder;
  readonly talks: TalkStore;
  readonly chats: ChatStore;
  readonly files: Files;
}

export function simulatedStorage(access: DiskAccess, pid: number): SimulatedStorage {
  return {
    stateFile: (name) => simulatedStateFile(access, name),
    journal: simulatedJournal(access, pid),
    folder: (path) => simulatedFolder(access, path),
    talks: simulatedTalkStore(access),
    chats: simulatedChats(access),
    files: simulatedFiles(access),
  };
}

/** The file `name`.json at the top of the disk, always replaced as a whole. */
function simulatedStateFile(access: DiskAccess, name: string): StateFile {
  const path = `/${name}.json`;
  return {
    read: () => ({ ok: true, value: access.disk.text(path) }),
    write: (text) => access.later(path, () => put(access, path, text)),
    setAside: () => {
      const aside = `/${name}.damaged-1.json`;
      if (!access.disk.has(path)) return failure('fileGone', { path });
      access.disk.move(path, aside);
      return { ok: true, value: aside };
    },
  };
}

/** Each process has its own journal. */
function simulatedJournal(access: DiskAccess, pid: number): JournalFile {
  const own = `/talk-journal-${pid}.json`;
  const left = (): readonly string[] =>
    access.disk.paths('/talk-journal-').filter((path) => path !== own);
  return {
    write: (text) => access.later(own, () => put(access, own, text)),
    remove: async () => {
      await remove(access, own, own);
    },
    readStale: () => Promise.resolve(left().map((path) => access.disk.text(path) ?? '')),
    removeStale: async () => {
      await remove(access, own, ...left());
    },
  };
}

function simulatedFolder(access: DiskAccess, path: string): DataFolder {
  const { disk } = access;
  const names = (): readonly string[] => {
    const inside = [...disk.paths(`${path}/`), ...disk.folders(`${path}/`)];
    return [...new Set(inside.map((each) => each.slice(path.length + 1).split('/', 1)[0] ?? ''))];
  };
  const bytesOf = (place: string): number =>
    [place, ...disk.paths(`${place}/`)].reduce(
      (sum, each) => sum + (disk.read(each)?.length ?? 0),
      0,
    );
  const itemOf = (name: string): DataFolderItem => ({
    name,
    bytes: bytesOf(`${path}/${name}`),
    changedAt: disk.changedAt(`${path}/${name}`),
  });
  return {
    path,
    make: () =>
      access.later(path, () => {
        disk.makeFolder(path);
        return done;
      }),
    names: () => access.later(path, () => ({ ok: true, value: names() })),
    list: () => access.later(path, () => ({ ok: true, value: names().map(itemOf) })),
    find: (name) =>
      access.later(path, () => ({
        ok: true,
        value: names().includes(name) ? itemOf(name) : undefined,
      })),
    unchangedSince: (time) =>
      access.later(path, () => ({
        ok: true,
        value: names().filter((name) => disk.changedAt(`${path}/${name}`) < time),
      })),
    remove: (name) => remove(access, path, `${path}/${name}`),
    move: (name, to) =>
      access.later(path, () => {
        disk.move(`${path}/${name}`, to);
        return done;
      }),
  };
}

/** Folders by id, each with a text of this name. */
function simulatedTexts(access: DiskAccess, folder: string, textName: string) {
  const { disk } = access;
  const at = (id: string, name = textName): string => `${folder}/${id}/${name}`;
  const versionOf = (path: string): string =>
    `${disk.changedAt(path)} ${disk.read(path)?.length ?? 0}`;
  return {
    at,
    list: () =>
      access.later(folder, () => ({
        ok: true,
        value: disk
          .paths(`${folder}/`)
          .filter((path) => path.endsWith(`/${textName}`))
          .map((path) => ({ id: path.split('/', 3)[2] ?? '', version: versionOf(path) })),
      })),
    read: (id: string) =>
      access.later(at(id), () => {
        const text = disk.text(at(id));
        return text === undefined
          ? failure('fileGone', { path: at(id) })
          : { ok: true, value: { text, version: versionOf(at(id)) } };
      }),
    readFile: (id: string, name: string) =>
      access.later(at(id, name), () => {
        const bytes = disk.read(at(id, name));
        return bytes === undefined
          ? failure('fileGone', { path: at(id, name) })
          : { ok: true, value: bytes };
      }),
    write: (id: string, content: Uint8Array | string, name?: string) =>
      access.later(at(id, name), () => put(access, at(id, name), content)),
    remove: (id: string) => remove(access, folder, `${folder}/${id}`),
  };
}

function simulatedTalkStore(access: DiskAccess): TalkStore {
  const { at: _at, readFile, write, ...texts } = simulatedTexts(access, '/talks', 'talk.json');
  return {
    ...texts,
    path: '/talks',
    write: (id, text) => write(id, text),
    writePicture: (id, file, jpeg) => write(id, jpeg, file),
    readPicture: readFile,
  };
}

/** Files that are written in pieces, such as tapes. */
function simulatedFiles(access: DiskAccess): Files {
  const { disk } = access;
  const read = (path: string): Outcome<Uint8Array> => {
    const bytes = disk.read(path);
    return bytes === undefined ? failure('fileGone', { path }) : { ok: true, value: bytes.slice() };
  };
  return {
    read: (path) => access.later(path, () => read(path)),
    readText: (path) =>
      access.later(path, () => {
        const text = disk.text(path);
        return text === undefined ? failure('fileGone', { path }) : { ok: true, value: text };
      }),
    openToRead: (path) => {
      const found = read(path);
      if (!found.ok) return found;
      const readNow = (offset: number, length: number): Outcome<Uint8Array> => ({
        ok: true,
        value: found.value.slice(offset, offset + length),
      });
      return {
        ok: true,
        value: {
          size: found.value.length,
          readNow,
          read: (offset, length) => access.later(path, () => readNow(offset, length)),
          close: () => undefined,
        },
      };
    },
    create: (path, onError) =>
      access.later(path, () => {
        if (disk.full) return failure('diskFull', { path });
        if (!disk.hasFolder(path.slice(0, path.lastIndexOf('/'))))
          return failure('fileGone', { path });
        disk.create(path);
        return { ok: true, value: openSimulatedWriter(access, path, onError) };
      }),
    createFolder: (path) =>
      access.later(path, () => {
        if (disk.paths(`${path}/`).length > 0) return failure('folderNotEmpty', { path });
        disk.makeFolder(path);
        return done;
      }),
    freeSpace: (path) => access.later(path, () => ({ ok: true, value: disk.full ? 0 : 1e12 })),
  };
}

function remove(
  access: DiskAccess,
  path: string,
  ...removed: readonly string[]
): Promise<Outcome<undefined>> {
  return access.later(path, () => {
    for (const each of removed) access.disk.remove(each);
    return done;
  });
}

function put(access: DiskAccess, path: string, content: Uint8Array | string): Outcome<undefined> {
  return access.disk.put(path, content) ? done : failure('diskFull', { path });
}

/** Stores written conversations on a simulated disk; every file is written whole. */
function simulatedChats(access: DiskAccess): ChatStore {
  const { disk } = access;
  const folder = '/chats';
  const { at, readFile, write, ...texts } = simulatedTexts(access, folder, 'conversation.json');
  return {
    ...texts,
    write: async (id, text, media) => {
      for (const { name, bytes } of media) {
        const file = disk.has(at(id, name)) ? undefined : bytes();
        const written = file === undefined ? done : await write(id, file, name);
        if (!written.ok) return written;
      }
      return write(id, text);
    },
    readMedia: readFile,
    setAside: (id) =>
      access.later(folder, () => {
        const aside = `/damaged-chats/${id}`;
        disk.move(`${folder}/${id}`, aside);
        return { ok: true, value: aside };
      }),
    removeAll: () => remove(access, folder, folder, '/damaged-chats'),
  };
}

function openSimulatedWriter(
  access: DiskAccess,
  path: string,
  onError: Parameters<Files['create']>[1],
): FileWriter {
  const { disk } = access;
  let failed: Failure | undefined;
  let end = 0;
  let unwritten: (readonly [number, Uint8Array])[] = [];
  const write = (offset: number, bytes: Uint8Array): void => {
    if (access.killed) return;
    if (failed === undefined && disk.writeAt(path, offset, bytes)) return;
    unwritten.push([offset, bytes.slice()]);
    if (failed !== undefined) return;
    failed = failure('diskFull', { path });
    onError?.(failed.error);
  };
  const ended = (): Outcome<undefined> => failed ?? done;
  return {
    append: (bytes) => {
      const coded = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
      write(end, coded);
      end += coded.length;
    },
    writeAt: write,
    exists: () => disk.has(path),
    resume: () =>
      access.later(path, () => {
        const again = unwritten;
        unwritten = [];
        failed = undefined;
        for (const [offset, bytes] of again) write(offset, bytes);
        return ended();
      }),
    close: () => access.later(path, ended),
    discard: () => remove(access, path, path),
  };
}
