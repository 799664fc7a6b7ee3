import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ChooseSaveTarget, SaveTarget, SaveMethod } from '../../../shared/ports/files.ts';
import type { ScratchFolder } from '../../recordings/export/export-tools.ts';
import {
  fileFailure,
  isFromBeforeBoot,
  isRunning,
  orFailure,
  removePath,
  renameFile,
} from './atomic-files.ts';
import { stateFolder } from './state-folder.ts';

/** The name of a scratch folder: process id, purpose and random suffix. */
const scratchName = /^(?<pid>\d+)-[a-z]+-\w{6}$/;
/** A file in a scratch folder with the path of a draft, which is in the user's folder beside its target. */
const draftNote = 'draft';
/** The folders that this process created. An earlier process may have had the same id. */
const ownFolders = new Set<string>();

/** Creates a private folder, because the system's temporary folder may be public and never cleaned. */
export async function makeScratchFolder(purpose: string): Promise<ScratchFolder> {
  const parent = scratchParent();
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const path = await mkdtemp(join(parent, `${process.pid}-${purpose}-`));
  ownFolders.add(path);
  return {
    path,
    remove: async () => {
      await removePath(path);
      ownFolders.delete(path);
    },
  };
}

/** Like `makeScratchFolder`, but returns the error of a full or read-only state folder as a failure. */
export function openScratchFolder(purpose: string) {
  return orFailure(scratchParent(), () => makeScratchFolder(purpose));
}

/**
 * Registers a draft in a user's folder. If this process ends before `forget`, the next start removes the draft. Never
 * fails: a full or read-only state folder must not keep the user from saving elsewhere.
 */
export async function rememberDraft(
  draft: string,
): Promise<{ readonly forget: () => Promise<void> }> {
  const scratch = await openScratchFolder('draft');
  if (!scratch.ok) return { forget: () => Promise.resolve() };
  const { path, remove } = scratch.value;
  const forget = (): Promise<void> => remove().catch(() => undefined);
  try {
    await writeFile(join(path, draftNote), draft, { mode: 0o600 });
  } catch {
    await forget();
  }
  return { forget };
}

/** Removes what killed processes left. Never fails: what cannot be removed now is tried at the next start. */
export async function sweepScratch(): Promise<void> {
  const parent = scratchParent();
  const names = await readdir(parent).catch(() => []);
  await Promise.allSettled(
    names.map(async (name) => {
      const pid = Number(scratchName.exec(name)?.groups?.['pid']);
      const path = join(parent, name);
      if (Number.isNaN(pid) || ownFolders.has(path) || (await isInUse(pid, path))) return;
      const draft = await readFile(join(path, draftNote), 'utf8').catch(() => '');
      if (basename(draft).endsWith('.draft')) await rm(draft, { force: true });
      await removePath(path);
    }),
  );
}

async function isInUse(pid: number, path: string): Promise<boolean> {
  if (pid === process.pid || !isRunning(pid)) return false;
  return !isFromBeforeBoot((await stat(path)).birthtimeMs);
}

function scratchParent(): string {
  return join(stateFolder(), 'scratch');
}

let drafts = 0;

/** Lets the user choose a target. A draft is written first, so that a failure or cancellation leaves the existing file. */
export function createSaveTargets(method: SaveMethod): ChooseSaveTarget {
  return async (name) => {
    if (method.kind === 'download') return downloadTarget(name, method.offer);
    const path = await method.choose(name);
    return { ok: true, value: path === undefined ? undefined : await targetAt(path) };
  };
}

async function targetAt(path: string): Promise<SaveTarget> {
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
    commit: async () => {
      try {
        await renameFile(draft, path);
        await remembered.forget();
        return { ok: true, value: { kind: 'file', path } };
      } catch (error) {
        await drop();
        return fileFailure(path, error);
      }
    },
    discard: drop,
  };
}

/** The draft is in a scratch folder until the browser has downloaded it. */
async function downloadTarget(
  name: string,
  offer: Extract<SaveMethod, { kind: 'download' }>['offer'],
): ReturnType<ChooseSaveTarget> {
  const scratch = await openScratchFolder('download');
  if (!scratch.ok) return scratch;
  const draft = join(scratch.value.path, name);
  return {
    ok: true,
    value: {
      draft,
      path: name,
      commit: () =>
        Promise.resolve({
          ok: true,
          value: { kind: 'download', href: offer(draft, name), name },
        }),
      discard: scratch.value.remove,
    },
  };
}
