import type { ForkOptions } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** As a sound server asks for itself; other programs of the machine must not be measured with it. */
const niceness = -15;

/** Only root may ask for it, and only Linux has threads with a niceness of their own. */
const urgent = process.platform === 'linux' && process.getuid?.() === 0;

export const urgencyInWords = urgent
  ? `the bench, what it starts and the sound server run with niceness ${niceness}`
  : 'nothing runs with a higher priority (only root may give it)';

/** A program of the rig, with all the threads it has. */
export function hurry(pid: number | undefined): void {
  if (!urgent || pid === undefined) return;
  for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), niceness);
}

/** For a process of ours, whose threads all inherit it. */
export const urgentFork: ForkOptions = urgent
  ? { execPath: 'nice', execArgv: ['-n', String(niceness), process.execPath] }
  : {};

/**
 * Where the kernel shares its processors among sessions first, niceness counts within this one only:
 * the session is given its own, and what it had again at the end.
 */
export function hurrySession(): void {
  const group = '/proc/self/autogroup';
  if (!urgent || !existsSync(group)) return;
  const [, before = '0'] = /nice (-?\d+)/.exec(readFileSync(group, 'utf8')) ?? [];
  writeFileSync(group, String(niceness));
  process.once('exit', () => {
    writeFileSync(group, before);
  });
}
