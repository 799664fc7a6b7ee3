import { failure } from '../../../shared/errors/app-error.ts';
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateFile } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { fileFailure } from './file-error.ts';

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
        return { ok: true, value: readFileSync(path, 'utf8') };
      } catch (error) {
        return codeOf(error) === 'ENOENT'
          ? { ok: true, value: undefined }
          : fileFailure(path, error);
      }
    },
    write: async (text) => {
      const draft = `${path}.${randomUUID()}`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeThrough(draft, text);
        await rename(draft, path);
        return { ok: true, value: undefined };
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined);
        return fileFailure(path, error);
      }
    },
    setAside: () => {
      for (let number = 1; number <= maxDamagedFiles; number += 1) {
        const aside = join(folder, `${name}.damaged-${number}.json`);
        const kept = keepAs(path, aside);
        if (kept !== undefined) return kept;
      }
      return failure('tooManyDamaged', { path });
    },
  };
}

/** On the disk, not only in the system's memory: else a power cut leaves an empty file under the name. */
async function writeThrough(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
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
    renameSync(path, aside);
    return { ok: true, value: aside };
  } catch (error) {
    return fileFailure(path, error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
