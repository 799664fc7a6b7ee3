import type { ForkOptions } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** The value after an option of the command line, such as `--minutes 10`. */
export function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A high priority, such as sound servers have, so that other programs do not affect the measurement. */
const niceness = -15;

/** Only root may raise priority, and only Linux has a niceness per thread. */
const urgent = process.platform === 'linux' && process.getuid?.() === 0;

export const priorityInWords = urgent
  ? `the bench, what it starts and the sound server run with niceness ${niceness}`
  : 'nothing runs with a higher priority (only root may give it)';

/** Raises the priority of all threads of a process. */
export function raisePriority(pid: number | undefined): void {
  if (!urgent || pid === undefined) return;
  for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), niceness);
}

/** Fork options for a high-priority child, whose threads inherit the niceness. */
export const urgentFork: ForkOptions = urgent
  ? { execPath: 'nice', execArgv: ['-n', String(niceness), process.execPath] }
  : {};

/**
 * With autogroup scheduling, niceness counts only within a session, so the session itself gets a higher priority, and its
 * old one at exit.
 */
export function raiseSessionPriority(): void {
  const group = '/proc/self/autogroup';
  if (!urgent || !existsSync(group)) return;
  const [, before = '0'] = /nice (-?\d+)/.exec(readFileSync(group, 'utf8')) ?? [];
  writeFileSync(group, String(niceness));
  process.once('exit', () => {
    writeFileSync(group, before);
  });
}
