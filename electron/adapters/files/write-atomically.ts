import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { renameFile } from './rename-file.ts';

const draftName = /\.(?<pid>\d+)-\d+\.draft$/;
let drafts = 0;

/**
 * Replaces a file: whoever reads it, also after a crash or a power cut, finds the old content or the
 * new one, whole. Only this account may read it. Rejects with the system's own error, and then the
 * old content stands.
 */
export async function writeAtomically(path: string, content: Uint8Array | string): Promise<void> {
  const folder = dirname(path);
  drafts += 1;
  const draft = `${path}.${process.pid}-${drafts}.draft`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeThrough(draft, content);
    await renameFile(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder).catch(() => undefined);
}

/** What processes that were killed while they wrote have left in a folder; never fails. */
export async function removeLeftDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter((name) => draftName.test(name)).map((name) => join(folder, name));
  await Promise.allSettled(
    drafts.map(async (path) => {
      if (isLeft(draftName.exec(path)?.groups?.['pid']) || (await isOld(path)))
        await rm(path, { force: true });
    }),
  );
}

/** A write takes less than a second; by then the process's number belongs to another program. */
const maxDraftMs = 10 * 60_000;

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  return Date.now() - mtimeMs > maxDraftMs;
}

/** Another Parley may be writing at this moment. */
function isLeft(pid: string | undefined): boolean {
  return pid !== undefined && Number(pid) !== process.pid && !isRunning(Number(pid));
}

/** Whether there is such a process, whoever's it is. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** On the disk, not only in the system's memory: else a power cut leaves an empty file under the name. */
async function writeThrough(path: string, content: Uint8Array | string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The new name is on the disk too. Not every system can do that, and the file is whole without it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
