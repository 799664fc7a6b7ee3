import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ChooseSavePlace, SavePlace, SaveWay } from '../../../shared/ports/files.ts';
import type { ScratchFolder } from '../../recordings/export/export-tools.ts';
import { fileFailure, isRunning, removePath, renameFile } from './atomic-files.ts';
import { stateFolder } from './state-folder.ts';

/** The process that made the folder, and what it is for. */
const scratchName = /^(?<pid>\d+)-[a-z]+-\w{6}$/;
/** In a folder for a draft: the path of the draft, which lies beside the file that it becomes. */
const draftNote = 'draft';
/** This process's own. Another process may have had the same number before. */
const made = new Set<string>();

/**
 * Makes a private folder for as long as some work takes. It lies in the state folder, because recordings go into it:
 * the system's own folder for such things is neither private nor swept on every system.
 */
export async function makeScratchFolder(work: string): Promise<ScratchFolder> {
  const parent = scratchParent();
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const path = await mkdtemp(join(parent, `${process.pid}-${work}-`));
  made.add(path);
  return {
    path,
    remove: async () => {
      await removePath(path);
      made.delete(path);
    },
  };
}

/** Has the next start remove a draft in a person's folder, if this process ends before it calls `forget`. */
export async function rememberDraft(
  draft: string,
): Promise<{ readonly forget: () => Promise<void> }> {
  const { path, remove } = await makeScratchFolder('draft');
  await writeFile(join(path, draftNote), draft, { mode: 0o600 });
  return { forget: remove };
}

/** Removes what processes left that were killed; never fails. What cannot be removed now is tried at the next start. */
export async function sweepScratch(): Promise<void> {
  const parent = scratchParent();
  const names = await readdir(parent).catch(() => []);
  await Promise.allSettled(
    names.map(async (name) => {
      const pid = Number(scratchName.exec(name)?.groups?.['pid']);
      const path = join(parent, name);
      if (Number.isNaN(pid) || made.has(path) || (await isInUse(pid, path))) return;
      const draft = await readFile(join(path, draftNote), 'utf8').catch(() => '');
      if (basename(draft).endsWith('.draft')) await rm(draft, { force: true });
      await removePath(path);
    }),
  );
}

async function isInUse(pid: number, path: string): Promise<boolean> {
  if (pid === process.pid || !isRunning(pid)) return false;
  // After a restart of the computer another program may have this number.
  const startedAt = Date.now() - uptime() * 1000;
  return (await stat(path)).birthtimeMs > startedAt;
}

function scratchParent(): string {
  return join(stateFolder(), 'scratch');
}

let drafts = 0;

/** Written whole under another name beside it, so that a failure or a change of mind leaves what was there. */
export function createSavePlaces(way: SaveWay): ChooseSavePlace {
  return async (name) => {
    if (way.kind === 'download') return downloadPlace(name, way.offer);
    const path = await way.choose(name);
    return path === undefined ? undefined : placeAt(path);
  };
}

async function placeAt(path: string): Promise<SavePlace> {
  drafts += 1;
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${drafts}.draft`);
  const remembered = await rememberDraft(draft);
  const drop = async (): Promise<void> => {
    await rm(draft, { force: true }).catch(() => undefined);
    await remembered.forget();
  };
  return {
    draft,
    path,
    keep: async () => {
      try {
        await renameFile(draft, path);
        await remembered.forget();
        return { ok: true, value: { kind: 'file', path } };
      } catch (error) {
        await drop();
        return fileFailure(path, error);
      }
    },
    drop,
  };
}

/** It lies in a folder of its own until the browser has it. */
async function downloadPlace(
  name: string,
  offer: Extract<SaveWay, { kind: 'download' }>['offer'],
): Promise<SavePlace> {
  const scratch = await makeScratchFolder('download');
  const draft = join(scratch.path, name);
  return {
    draft,
    path: name,
    keep: () =>
      Promise.resolve({
        ok: true,
        value: { kind: 'download', href: offer(draft, name), name },
      }),
    drop: scratch.remove,
  };
}
