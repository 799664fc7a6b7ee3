import { linkSync, readFileSync, statSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failure, type Outcome, errorCode } from '../../../shared/errors/app-error.ts';
import type { JournalFile, StateFile } from '../../../shared/ports/files.ts';
import {
  fileFailure,
  isFromBeforeBoot,
  isRunning,
  orFailure,
  renameFileSync,
  writeAtomically,
} from './atomic-files.ts';

const maxFileBytes = 8 * 1024 * 1024;
const maxDamagedFiles = 999;

/** `name`.json, private to this account. It is replaced by renaming, so it is always complete. */
export function createStateFile(folder: string, name: string): StateFile {
  const path = join(folder, `${name}.json`);

  return {
    read: () => {
      try {
        if (statSync(path).size > maxFileBytes) {
          return failure('fileTooLarge', { path });
        }
        return { ok: true, value: withoutByteOrderMark(readFileSync(path, 'utf8')) };
      } catch (error) {
        return errorCode(error) === 'ENOENT'
          ? { ok: true, value: undefined }
          : fileFailure(path, error);
      }
    },
    write: (text) => save(path, text),
    setAside: () => {
      for (let number = 1; number <= maxDamagedFiles; number += 1) {
        const backupPath = join(folder, `${name}.damaged-${number}.json`);
        const backup = backUpAs(path, backupPath);
        if (backup !== undefined) return backup;
      }
      return failure('tooManyDamaged', { path });
    },
  };
}

/**
 * Keeps a damaged file under another name, or returns undefined if that name is taken. Tries a hard link first, because
 * a link needs no disk space.
 */
function backUpAs(path: string, backupPath: string): Outcome<string> | undefined {
  try {
    linkSync(path, backupPath);
    return { ok: true, value: backupPath };
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
  }
  try {
    statSync(backupPath);
    return undefined;
  } catch {
    // The name is free.
  }
  try {
    renameFileSync(path, backupPath);
    return { ok: true, value: backupPath };
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

/** Removes the byte-order mark that some editors add. */
function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

const maxBytes = 4 * 1024 * 1024;
/** A talk writes its journal more often than this, so an older journal is of a process whose id was reused. */
const maxQuietMs = 60 * 60_000;

/** A journal `<name>-<pid>.json` per process, so a running Parley's journal is not taken for an abandoned one. */
export function createJournalFile(folder: string, name: string): JournalFile {
  const ownName = `${name}-${process.pid}.json`;
  const pattern = new RegExp(String.raw`^${name}-(?<pid>\d+)\.json$`, 'u');
  let hasWritten = false;

  const isAbandoned = async (file: string): Promise<boolean> => {
    const pid = pattern.exec(file)?.groups?.['pid'];
    if (pid === undefined) return false;
    if (file === ownName) return !hasWritten;
    if (!isRunning(Number(pid))) return true;
    const { mtimeMs } = await stat(join(folder, file));
    return isFromBeforeBoot(mtimeMs) || Date.now() - mtimeMs > maxQuietMs;
  };
  const listAbandoned = async (): Promise<readonly string[]> => {
    const names = await readdir(folder).catch(() => []);
    const abandoned = await Promise.all(
      names.map(async (file) =>
        (await isAbandoned(file).catch(() => false)) ? [join(folder, file)] : [],
      ),
    );
    return abandoned.flat();
  };

  return {
    write: (text) => {
      hasWritten = true;
      return save(join(folder, ownName), text);
    },
    remove: async () => {
      await rm(join(folder, ownName), { force: true });
    },
    readStale: async () => {
      const texts = (await listAbandoned()).map(async (path) => {
        const { size } = await stat(path);
        return size > maxBytes ? [] : [await readFile(path, 'utf8')];
      });
      return (await Promise.all(texts.map((text) => text.catch(() => [])))).flat();
    },
    removeStale: async () => {
      for (const path of await listAbandoned()) await rm(path, { force: true });
    },
  };
}
