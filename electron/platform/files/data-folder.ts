import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder, DataFolderItem } from '../../../shared/ports/files.ts';
import { listNames, orFailure, removePath, renameFile } from './atomic-files.ts';

/** A folder of stored data, such as the tapes: lists, measures, moves and deletes what is in it. */
export function createDataFolder(path: string): DataFolder {
  return {
    path,
    make: () =>
      orFailure(path, async () => {
        await mkdir(path, { recursive: true, mode: 0o700 });
        return undefined;
      }),
    names: () => orFailure(path, () => listNames(path)),
    list: () =>
      orFailure(path, async () => {
        const items = await readItems(path, await listNames(path));
        return items.filter((item) => item !== undefined);
      }),
    find: (name) =>
      orFailure(path, async () => {
        const names = await listNames(path);
        return names.includes(name) ? readItem(path, name) : undefined;
      }),
    unchangedSince: (time) =>
      orFailure(path, async () => {
        const old: string[] = [];
        // One after the other, so that other file access can run in between.
        for (const name of await listNames(path)) {
          const facts = await stat(join(path, name)).catch(() => undefined);
          if (facts !== undefined && facts.mtimeMs < time) old.push(name);
        }
        return old;
      }),
    remove: (name) =>
      orFailure(path, async () => {
        // Accepts only a name that is in the folder, because a name with separators would lead elsewhere.
        const names = await listNames(path);
        if (names.includes(name)) await removePath(join(path, name));
        return undefined;
      }),
    move: (name, to) =>
      orFailure(path, async () => {
        const names = await listNames(path);
        if (names.includes(name)) await renameFile(join(path, name), to);
        return undefined;
      }),
  };
}

/** Thousands of reads at once would hold up everything else that the process does. */
const parallelReads = 16;

async function readItems(
  folder: string,
  names: readonly string[],
): Promise<readonly (DataFolderItem | undefined)[]> {
  const items: (DataFolderItem | undefined)[] = [];
  for (let from = 0; from < names.length; from += parallelReads) {
    const part = names.slice(from, from + parallelReads);
    items.push(...(await Promise.all(part.map((name) => readItem(folder, name)))));
  }
  return items;
}

async function readItem(folder: string, name: string): Promise<DataFolderItem | undefined> {
  try {
    const facts = await stat(join(folder, name));
    const bytes = facts.isDirectory() ? await sizeWithin(join(folder, name)) : facts.size;
    return { name, bytes, changedAt: facts.mtimeMs };
  } catch {
    return undefined;
  }
}

async function sizeWithin(folder: string): Promise<number> {
  const items = await readItems(folder, await readdir(folder));
  return items.reduce((sum, item) => sum + (item?.bytes ?? 0), 0);
}
