import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { DataFolder, DataFolderItem } from '../../../shared/ports/files.ts';
import { fileFailure, removePath, renameFile } from './atomic-files.ts';

/** The folder where tapes and exports stand, as the privacy page lists and empties it. */
export function createDataFolder(path: string): DataFolder {
  return {
    path,
    make: () =>
      orProblem(path, async () => {
        await mkdir(path, { recursive: true, mode: 0o700 });
        return undefined;
      }),
    names: () => orProblem(path, () => readdir(path).catch(noneYet)),
    list: () =>
      orProblem(path, async () => {
        const names = await readdir(path).catch(noneYet);
        const items = await Promise.all(names.map((name) => readItem(path, name)));
        return items.filter((item) => item !== undefined);
      }),
    find: (name) =>
      orProblem(path, async () => {
        const names = await readdir(path).catch(noneYet);
        return names.includes(name) ? readItem(path, name) : undefined;
      }),
    unchangedSince: (time) =>
      orProblem(path, async () => {
        const old: string[] = [];
        // One after the other: sound and others' files have their turn between them.
        for (const name of await readdir(path).catch(noneYet)) {
          const facts = await stat(join(path, name)).catch(() => undefined);
          if (facts !== undefined && facts.mtimeMs < time) old.push(name);
        }
        return old;
      }),
    remove: (name) =>
      orProblem(path, async () => {
        // Only what it lists: a name with a way in it would lead elsewhere.
        const names = await readdir(path).catch(noneYet);
        if (names.includes(name)) await removePath(join(path, name));
        return undefined;
      }),
    move: (name, to) =>
      orProblem(path, async () => {
        const names = await readdir(path).catch(noneYet);
        if (names.includes(name)) await renameFile(join(path, name), to);
        return undefined;
      }),
  };
}

/** Nothing where it has gone since it was listed. */
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
  const names = await readdir(folder);
  const items = await Promise.all(names.map((name) => readItem(folder, name)));
  return items.reduce((sum, item) => sum + (item?.bytes ?? 0), 0);
}

function noneYet(error: unknown): readonly string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}

async function orProblem<Value>(path: string, work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return fileFailure(path, error);
  }
}
