import { linkSync, readFileSync, statSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { errorCode } from '../../../shared/harmless-text.ts';
import type { JournalFile, StateFile } from '../../../shared/ports/files.ts';
import {
  fileFailure,
  isRunning,
  orFailure,
  renameFileAtStart,
  writeAtomically,
} from './atomic-files.ts';

/** Nothing that Parley keeps in one of these is ever so large. */
const maxFileBytes = 8 * 1024 * 1024;
const maxDamagedFiles = 999;

/**
 * `name`.json in the state folder. Only this account can read it, and it is replaced by renaming,
 * so that neither a crash nor a second Parley leaves half of it.
 */
export function createStateFile(folder: string, name: string): StateFile {
  const path = join(folder, `${name}.json`);

  return {
    read: () => {
      try {
        if (statSync(path).size > maxFileBytes) {
          return failure('fileTooLarge', { path });
        }
        return { ok: true, value: withoutMark(readFileSync(path, 'utf8')) };
      } catch (error) {
        return errorCode(error) === 'ENOENT'
          ? { ok: true, value: undefined }
          : fileFailure(path, error);
      }
    },
    write: (text) => save(path, text),
    setAside: () => {
      for (let number = 1; number <= maxDamagedFiles; number += 1) {
        const aside = join(folder, `${name}.damaged-${number}.json`);
        const failed = keepAs(path, aside);
        if (failed !== undefined) return failed;
      }
      return failure('tooManyDamaged', { path });
    },
  };
}

/**
 * A second name needs no room on a full disk, and never takes the place of another file; where it
 * cannot be given, the file is moved. Nothing when the name is taken.
 */
function keepAs(path: string, aside: string): Outcome<string> | undefined {
  try {
    linkSync(path, aside);
    return { ok: true, value: aside };
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
  }
  try {
    statSync(aside);
    return undefined;
  } catch {
    // The name is free.
  }
  try {
    renameFileAtStart(path, aside);
    return { ok: true, value: aside };
  } catch (error) {
    return fileFailure(path, error);
  }
}

function save(path: string, text: string): Promise<Outcome<undefined>> {
  return orFailure(path, async () => {
    await writeAtomically(path, text);
    return undefined;
  });
}

/** Some editors begin a file with a byte-order mark, which is no damage. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

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
    write: (text) => {
      written = true;
      return save(join(folder, own), text);
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
