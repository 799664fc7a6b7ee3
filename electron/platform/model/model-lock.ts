import { readFileSync, rmSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { done, failure, type Outcome, errorCode } from '../../../shared/errors/app-error.ts';
import { fileFailure } from '../files/atomic-files.ts';

/** The processes for talks and for chats. Their locks and logs have these names, too. */
const processNames = ['model-server', 'model-chat'] as const;
export type ModelProcessName = (typeof processNames)[number];

const lockPath = (folder: string, name: ModelProcessName): string => join(folder, `${name}.lock`);

const maxEndMs = 2000;
/** How long a Parley may take from creating a lock to writing it. */
const maxWriteMs = 10_000;
const pollMs = 50;

/** A process, with the time of its start because systems reuse ids. */
const identity = z.object({ pid: z.int().min(2), startedAt: z.string().min(1) });

const lockRule = z.object({
  /** The Parley that started the program. */
  owner: identity,
  /** The leader of the program's process group. */
  leader: identity,
  temporary: z.string(),
});

/**
 * Takes the lock for a new process. First ends what a killed Parley left running, for talks and for chats, because both fill
 * the memory of the graphics card. Fails if another Parley has the lock.
 */
export async function takeModelLock(
  folder: string,
  name: ModelProcessName,
): Promise<Outcome<undefined>> {
  for (const other of processNames) {
    const otherLock = other === name ? undefined : await readLock(folder, other);
    // Keeps the other process's lock file, because its next start may begin at this moment.
    if (otherLock !== undefined && !(await isRunning(otherLock.owner))) await endProcess(otherLock);
  }
  const existing = await readLock(folder, name);
  if (existing === undefined) {
    if (await isLeftUnfinished(folder, name)) removeModelLock(folder, name);
    return createLock(folder, name);
  }
  const isOwn = existing.owner.pid === process.pid;
  if (!isOwn && (await isRunning(existing.owner))) return failure('modelElsewhere');
  await endProcess(existing);
  await rm(lockPath(folder, name), { force: true });
  return createLock(folder, name);
}

async function endProcess({ leader, temporary }: z.infer<typeof lockRule>): Promise<void> {
  if (leader.pid !== process.pid && (await isRunning(leader))) {
    try {
      process.kill(process.platform === 'win32' ? leader.pid : -leader.pid, 'SIGKILL');
    } catch {
      // The program has ended meanwhile.
    }
    // The next program needs the card's memory, which this one frees as it ends.
    for (let waited = 0; waited < maxEndMs && (await isRunning(leader)); waited += pollMs)
      await wait(pollMs);
  }
  if (/parley-model-[^/\\]+$/u.test(temporary))
    await rm(temporary, { recursive: true, force: true });
}

/** Creates the lock file. Only one of two processes that start at once can create it. */
async function createLock(folder: string, name: ModelProcessName): Promise<Outcome<undefined>> {
  const owner = await identify(process.pid);
  // Without the time of a start, which not every system tells, there is no lock.
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

/** Writes the ids of the running program into the lock. */
export async function writeModelLock(
  folder: string,
  name: ModelProcessName,
  pid: number,
  temporary: string,
): Promise<void> {
  const [owner, leader] = await Promise.all([identify(process.pid), identify(pid)]);
  // The program has ended already, or the system cannot tell when a process started.
  if (owner === undefined || leader === undefined) return;
  const text = JSON.stringify({ owner, leader, temporary });
  await writeFile(lockPath(folder, name), text, { mode: 0o600 });
}

/** Removes the lock, unless another Parley has taken it over. */
export function removeModelLock(folder: string, name: ModelProcessName): void {
  const path = lockPath(folder, name);
  try {
    const stored = lockRule.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
    if (stored !== undefined && stored.owner.pid !== process.pid) return;
  } catch {
    // A lock that cannot be read is removed, too.
  }
  rmSync(path, { force: true });
}

async function identify(pid: number): Promise<z.infer<typeof identity> | undefined> {
  const startedAt = await readStartTime(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

async function readLock(
  folder: string,
  name: ModelProcessName,
): Promise<z.infer<typeof lockRule> | undefined> {
  const text = await readFile(lockPath(folder, name), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return lockRule.safeParse(JSON.parse(text)).data;
  } catch {
    // Parley was killed while it wrote the file.
    return undefined;
  }
}

/** Whether a lock that cannot be read is old: a full disk or a crash has kept its Parley from writing it. */
async function isLeftUnfinished(folder: string, name: ModelProcessName): Promise<boolean> {
  const facts = await stat(lockPath(folder, name)).catch(() => undefined);
  return facts !== undefined && Date.now() - facts.mtimeMs > maxWriteMs;
}

async function isRunning({ pid, startedAt }: z.infer<typeof identity>): Promise<boolean> {
  return (await readStartTime(pid)) === startedAt;
}

/**
 * The time when a process started, in the form of the system. Undefined if the process has ended or the system does not
 * tell.
 */
async function readStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name in parentheses can have spaces. The start is the twentieth field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isZombie = fields[0] === 'Z';
    return isZombie ? undefined : fields[19];
  }
  const output = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', `${pid}`]).catch(
    () => undefined,
  );
  const text = output?.stdout.trim() ?? '';
  return text === '' ? undefined : text;
}
