import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const cli = resolve(import.meta.dirname, '../../out/main/cli.js');

/** Much longer than an answer of the demonstration takes on a busy machine. */
const timeoutMs = 25_000;

/** util-linux's `script` opens the terminal; other systems have another one. */
export const hasPty = process.platform === 'linux' && existsSync('/usr/bin/script');

export function startInPty(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const quoted = [process.execPath, cli, ...args].map(shellQuote).join(' ');
  const child = spawn(
    '/usr/bin/script',
    ['-qefc', `stty cols 100 rows 30; exec ${quoted}`, '/dev/null'],
    { stdio: 'pipe', env: { ...env, TERM: 'xterm', NO_COLOR: '1' } },
  );
  let shown = '';
  let from = 0;
  let checks: (() => void)[] = [];
  const onExit: (() => void)[] = [];
  child.stdout.on('data', (data: Buffer) => {
    shown += data.toString();
    for (const check of checks) check();
  });
  child.stdin.on('error', () => undefined);
  onTestFinished(() => void child.kill());
  const ended = new Promise<number | null>((resolveCode) => {
    child.on('close', (code) => {
      for (const fail of onExit) fail();
      resolveCode(code);
    });
  });
  return {
    child,
    shown: () => shown,
    type: (keys: string) => child.stdin.write(keys),
    /** Resolves when the text appears in output that no earlier call has matched. */
    waitForText: (text: string): Promise<void> =>
      new Promise((resolveText, reject) => {
        const fail = (why: string): void => {
          clearTimeout(timer);
          checks = checks.filter((other) => other !== check);
          reject(new Error(`${why} without showing ${text}: ${JSON.stringify(shown.slice(from))}`));
        };
        const timer = setTimeout(() => {
          fail('it ran on');
        }, timeoutMs);
        const check = (): void => {
          const at = shown.indexOf(text, from);
          if (at === -1) return;
          clearTimeout(timer);
          from = at + text.length;
          checks = checks.filter((other) => other !== check);
          resolveText();
        };
        checks.push(check);
        onExit.push(() => {
          fail('it ended');
        });
        check();
      }),
    ended,
  };
}

function shellQuote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
