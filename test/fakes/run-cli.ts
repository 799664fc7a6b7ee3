import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const cli = resolve(import.meta.dirname, '../../out/main/cli.js');

export interface RunningCli {
  readonly child: ChildProcess;
  readonly written: () => { readonly out: string; readonly err: string };
  /** Resolves when so much has been written to stdout. */
  readonly waitForOutput: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly out: string;
    readonly err: string;
  }>;
}

/** Starts the built `parley`, as a person would. */
export function startCli(
  args: readonly string[],
  /** Nothing leaves the pipe open. */
  piped: string | null = '',
  env: NodeJS.ProcessEnv = process.env,
): RunningCli {
  if (!existsSync(cli)) throw new Error('out/main/cli.js is missing: npm run check builds it.');
  const child = spawn(process.execPath, [cli, ...args], { stdio: 'pipe', env });
  let out = '';
  let err = '';
  let looks: (() => void)[] = [];
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
    for (const look of looks) look();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  child.stdin.on('error', () => undefined);
  if (piped !== null) child.stdin.end(piped);
  const ended = new Promise<number | null>((done) => {
    child.on('close', done);
  });
  return {
    child,
    written: () => ({ out, err }),
    waitForOutput: (pattern) =>
      new Promise((found, lost) => {
        const look = (): void => {
          const match = pattern.exec(out);
          if (match === null) return;
          looks = looks.filter((other) => other !== look);
          found(match);
        };
        looks.push(look);
        look();
        child.on('close', () => {
          lost(new Error(`it ended without saying ${String(pattern)}: ${err}`));
        });
      }),
    ended: ended.then((code) => ({ code, out, err })),
  };
}

export async function runCli(args: readonly string[], piped = '', env = process.env) {
  return startCli(args, piped, env).ended;
}
