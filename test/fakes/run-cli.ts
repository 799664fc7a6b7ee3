import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const cli = resolve(import.meta.dirname, '../../out/main/cli.js');

export interface RunningCli {
  readonly child: ChildProcess;
  readonly written: () => { readonly out: string; readonly err: string };
  /** Resolves with the first match in stdout; rejects if the process ends without one. */
  readonly waitForOutput: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly out: string;
    readonly err: string;
  }>;
}

/** Starts the built command line in a process. */
export function startCli(
  args: readonly string[],
  /** Null leaves stdin open. */
  piped: string | null = '',
  env: NodeJS.ProcessEnv = process.env,
): RunningCli {
  if (!existsSync(cli)) throw new Error('out/main/cli.js is missing: npm test builds it.');
  const child = spawn(process.execPath, [cli, ...args], { stdio: 'pipe', env });
  let out = '';
  let err = '';
  let watchers: (() => void)[] = [];
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
    for (const check of watchers) check();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  child.stdin.on('error', () => undefined);
  if (piped !== null) child.stdin.end(piped);
  const ended = new Promise<number | null>((resolveCode) => {
    child.on('close', resolveCode);
  });
  return {
    child,
    written: () => ({ out, err }),
    waitForOutput: (pattern) =>
      new Promise((resolveMatch, reject) => {
        const check = (): void => {
          const match = pattern.exec(out);
          if (match === null) return;
          watchers = watchers.filter((other) => other !== check);
          resolveMatch(match);
        };
        watchers.push(check);
        check();
        child.on('close', () => {
          reject(new Error(`the process ended without printing ${String(pattern)}: ${err}`));
        });
      }),
    ended: ended.then((code) => ({ code, out, err })),
  };
}

export async function runCli(args: readonly string[], piped = '', env = process.env) {
  return startCli(args, piped, env).ended;
}
