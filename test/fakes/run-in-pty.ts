import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const cli = resolve(import.meta.dirname, '../../out/main/cli.js');

/** Much longer than an answer of the demonstration on a busy machine. */
const patienceMs = 25_000;

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
  let looks: (() => void)[] = [];
  const over: (() => void)[] = [];
  child.stdout.on('data', (data: Buffer) => {
    shown += data.toString();
    for (const look of looks) look();
  });
  child.stdin.on('error', () => undefined);
  onTestFinished(() => void child.kill());
  const ended = new Promise<number | null>((done) => {
    child.on('close', (code) => {
      for (const lose of over) lose();
      done(code);
    });
  });
  return {
    child,
    shown: () => shown,
    type: (keys: string) => child.stdin.write(keys),
    /** Resolves when the text appears in output that no earlier call has matched. */
    waitForText: (text: string): Promise<void> =>
      new Promise((found, lost) => {
        const lose = (why: string): void => {
          clearTimeout(patience);
          looks = looks.filter((other) => other !== look);
          lost(new Error(`${why} without showing ${text}: ${JSON.stringify(shown.slice(from))}`));
        };
        const patience = setTimeout(() => {
          lose('it went on');
        }, patienceMs);
        const look = (): void => {
          const at = shown.indexOf(text, from);
          if (at === -1) return;
          clearTimeout(patience);
          from = at + text.length;
          looks = looks.filter((other) => other !== look);
          found();
        };
        looks.push(look);
        over.push(() => {
          lose('it ended');
        });
        look();
      }),
    ended,
  };
}

function shellQuote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
