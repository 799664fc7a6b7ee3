import { failure } from '../../../shared/errors/app-error.ts';
import { linkSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StateFile } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { fileFailure } from './file-error.ts';
import { renameFileAtStart } from './rename-file.ts';
import { writeAtomically } from './write-atomically.ts';

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
        return codeOf(error) === 'ENOENT'
          ? { ok: true, value: undefined }
          : fileFailure(path, error);
      }
    },
    write: async (text) => {
      try {
        await writeAtomically(path, text);
        return { ok: true, value: undefined };
      } catch (error) {
        return fileFailure(path, error);
      }
    },
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
    if (codeOf(error) === 'EEXIST') return undefined;
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

/** Some editors begin a file with a byte-order mark, which is no damage. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
