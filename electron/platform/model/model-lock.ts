import { readFileSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { errorCode } from '../../../shared/sanitize-text.ts';
import { fileFailure } from '../files/atomic-files.ts';

/** The process that talks use, and the one for chats only. Their locks and logs have these names. */
const processNames = ['model-server', 'model-chat'] as const;
export type ModelProcessName = (typeof processNames)[number];

const lockPath = (folder: string, name: ModelProcessName): string => join(folder, `${name}.lock`);

const maxEndMs = 2000;
const lookMs = 50;

/** A process with the time of its start, because ids are used again. */
const identity = z.object({ pid: z.int().min(2), startedAt: z.string().min(1) });

const lock = z.object({
  /** The Parley that started it. */
  owner: identity,
  /** The leader of the program's process group. */
  leader: identity,
  temporary: z.string(),
});

/**
 * Takes the lock for a new process, and ends what a killed Parley left behind, also of the other process, which fills
 * the card's memory. Fails if another Parley has the lock.
 */
export async function takeOver(
  folder: string,
  name: ModelProcessName,
): Promise<Outcome<undefined>> {
  for (const other of processNames) {
    const left = other === name ? undefined : await readLock(folder, other);
    // Its lock stays for the next start of that process, which may begin at this moment.
    if (left !== undefined && !(await isRunning(left.owner))) await endProcess(left);
  }
  const found = await readLock(folder, name);
  if (found === undefined) return createLock(folder, name);
  const isOurs = found.owner.pid === process.pid;
  if (!isOurs && (await isRunning(found.owner))) return failure('modelElsewhere');
  await endProcess(found);
  await rm(lockPath(folder, name), { force: true });
  return createLock(folder, name);
}

async function endProcess({ leader, temporary }: z.infer<typeof lock>): Promise<void> {
  if (leader.pid !== process.pid && (await isRunning(leader))) {
    try {
      process.kill(process.platform === 'win32' ? leader.pid : -leader.pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
    // It frees the card's memory as it ends, and the next one needs that.
    for (let waited = 0; waited < maxEndMs && (await isRunning(leader)); waited += lookMs)
      await wait(lookMs);
  }
  if (/parley-model-[^/\\]+$/u.test(temporary))
    await rm(temporary, { recursive: true, force: true });
}

/** Two that start at once must not both run, so only one can create the file. */
async function createLock(folder: string, name: ModelProcessName): Promise<Outcome<undefined>> {
  const owner = await identify(process.pid);
  // This system cannot tell when a process started.
  if (owner === undefined) return done;
  const text = JSON.stringify({ owner, leader: owner, temporary: '' });
  try {
    await writeFile(lockPath(folder, name), text, { flag: 'wx', mode: 0o600 });
    return done;
  } catch (error) {
    return errorCode(error) === 'EEXIST'
      ? failure('modelElsewhere')
      : fileFailure(lockPath(folder, name), error);
  }
}

export async function rememberProcess(
  folder: string,
  name: ModelProcessName,
  pid: number,
  temporary: string,
): Promise<void> {
  const [owner, leader] = await Promise.all([identify(process.pid), identify(pid)]);
  // It ended already, or this system cannot tell.
  if (owner === undefined || leader === undefined) return;
  const text = JSON.stringify({ owner, leader, temporary });
  await writeFile(lockPath(folder, name), text, { mode: 0o600 });
}

/** Gives the lock back, unless another Parley has taken it over. */
export function forgetProcess(folder: string, name: ModelProcessName): void {
  const path = lockPath(folder, name);
  try {
    const held = lock.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
    if (held !== undefined && held.owner.pid !== process.pid) return;
  } catch {
    // It is not there, or unreadable and of no use.
  }
  rmSync(path, { force: true });
}

async function identify(pid: number): Promise<z.infer<typeof identity> | undefined> {
  const startedAt = await startOf(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

async function readLock(
  folder: string,
  name: ModelProcessName,
): Promise<z.infer<typeof lock> | undefined> {
  const text = await readFile(lockPath(folder, name), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return lock.safeParse(JSON.parse(text)).data;
  } catch {
    // Parley was killed while it wrote the file.
    return undefined;
  }
}

async function isRunning({ pid, startedAt }: z.infer<typeof identity>): Promise<boolean> {
  return (await startOf(pid)) === startedAt;
}

/** The time when a process started, in the system's own form. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name in parentheses can hold spaces; the start is the twentieth field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isZombie = fields[0] === 'Z';
    return isZombie ? undefined : fields[19];
  }
  const listed = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', `${pid}`]).catch(
    () => undefined,
  );
  const text = listed?.stdout.trim() ?? '';
  return text === '' ? undefined : text;
}
