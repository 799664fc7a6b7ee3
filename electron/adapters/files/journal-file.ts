import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import type { JournalFile } from '../../ports/files.ts';
import { fileFailure } from './file-error.ts';
import { isRunning, writeAtomically } from './write-atomically.ts';

const maxBytes = 4 * 1024 * 1024;
/** Nobody talks for so long without a word: then the process's number belongs to another program. */
const maxQuietMs = 60 * 60_000;

/** `<name>-<pid>.json`: one for each process, so that what another Parley writes is not taken for left. */
export function createJournalFile(folder: string, name: string): JournalFile {
  const own = `${name}-${process.pid}.json`;
  const pattern = new RegExp(String.raw`^${name}-(?<pid>\d+)\.json$`, 'u');
  let written = false;

  const isLeft = async (file: string): Promise<boolean> => {
    const pid = pattern.exec(file)?.groups?.['pid'];
    if (pid === undefined) return false;
    if (file === own) return !written;
    if (!isRunning(Number(pid))) return true;
    const { mtimeMs } = await stat(join(folder, file));
    // After a restart of the computer another program may have this number.
    return mtimeMs < Date.now() - uptime() * 1000 || Date.now() - mtimeMs > maxQuietMs;
  };
  const listLeft = async (): Promise<readonly string[]> => {
    const names = await readdir(folder).catch(() => []);
    const left = await Promise.all(
      names.map(async (file) =>
        (await isLeft(file).catch(() => false)) ? [join(folder, file)] : [],
      ),
    );
    return left.flat();
  };

  return {
    write: async (text) => {
      written = true;
      try {
        await writeAtomically(join(folder, own), text);
        return { ok: true, value: undefined };
      } catch (error) {
        return fileFailure(join(folder, own), error);
      }
    },
    remove: async () => {
      await rm(join(folder, own), { force: true });
    },
    left: async () => {
      const texts = (await listLeft()).map(async (path) => {
        const { size } = await stat(path);
        return size > maxBytes ? [] : [await readFile(path, 'utf8')];
      });
      return (await Promise.all(texts.map((text) => text.catch(() => [])))).flat();
    },
    removeLeft: async () => {
      for (const path of await listLeft()) await rm(path, { force: true });
    },
  };
}
