import { rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';

const lockFile = 'model-server.lock';

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

/** Makes room for a new process: ends one that a killed Parley left behind. Fails if another Parley runs one. */
export async function takeOver(folder: string): Promise<Outcome<undefined>> {
  const found = await readLock(folder);
  if (found === undefined) return done;
  const isOurs = found.owner.pid === process.pid;
  if (!isOurs && (await isRunning(found.owner))) return failure('modelElsewhere');
  if (await isRunning(found.leader)) {
    try {
      process.kill(process.platform === 'win32' ? found.leader.pid : -found.leader.pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
    // It frees the card's memory as it ends, and the next one needs that.
    for (let waited = 0; waited < maxEndMs && (await isRunning(found.leader)); waited += lookMs)
      await wait(lookMs);
  }
  if (/parley-model-[^/\\]+$/u.test(found.temporary))
    await rm(found.temporary, { recursive: true, force: true });
  forgetProcess(folder);
  return done;
}

export async function rememberProcess(
  folder: string,
  pid: number,
  temporary: string,
): Promise<void> {
  const [owner, leader] = await Promise.all([startOf(process.pid), startOf(pid)]);
  // It ended already, or this system cannot tell.
  if (owner === undefined || leader === undefined) return;
  const text = JSON.stringify({
    owner: { pid: process.pid, startedAt: owner },
    leader: { pid, startedAt: leader },
    temporary,
  });
  await writeFile(join(folder, lockFile), text, { mode: 0o600 });
}

export function forgetProcess(folder: string): void {
  rmSync(join(folder, lockFile), { force: true });
}

async function readLock(folder: string): Promise<z.infer<typeof lock> | undefined> {
  const text = await readFile(join(folder, lockFile), 'utf8').catch(() => undefined);
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
