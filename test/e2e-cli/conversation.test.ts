import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCli, startCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { endGateways, serveGateway } from './cli-talk.ts';

afterEach(endGateways);

const cli = resolve(import.meta.dirname, '../../out/main/cli.js');

/** Much longer than an answer of the demonstration takes on a busy machine. */
const timeoutMs = 25_000;

/** util-linux's `script` opens the terminal; other systems have another one. */
const hasPty = process.platform === 'linux' && existsSync('/usr/bin/script');

function startInPty(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
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

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const says = (words: string): string => `Reply with exactly: ${words}`;

// An echoed line ends with two returns, and an answer with one, so one return after the text finds the answer.
describe('a conversation at a prompt', () => {
  it('streams and remembers answers, is saved, and ends at Ctrl-D', async (context) => {
    if (!hasPty) context.skip('no pseudo terminal can be made here');
    const at = workFolder();
    const { type, waitForText: sees, ended, shown } = startInPty(['chat']);
    await sees('/help lists the commands; Ctrl-D ends the conversation.');
    await sees('> ');
    type(`${says('one two')}\r`);
    await sees('one two\r\n');
    await sees('> ');
    type('\u001b[200~Reply with exactly:\rthree four\u001b[201~\r');
    await sees('… three four');
    await sees('three four\r\n');
    await sees('> ');
    type(`/save ${at('talk.md')}\r`);
    await sees(`Saved as ${at('talk.md')}.`);
    await sees('> ');
    type('/imgae\r');
    await sees('Unknown command /imgae.');
    await sees('> ');
    type('\u0004');
    expect(await ended).toBe(0);
    expect(shown().endsWith('\u001b[?2004l')).toBe(true);
    expect(readFileSync(at('talk.md'), 'utf8')).toMatch(
      /\*\*Parley\*\*\n\none two\n\n\*\*You\*\*\n\nReply with exactly: {2}\nthree four/,
    );
  });

  it('stops an answer at the first Ctrl-C and ends at the second', async (context) => {
    if (!hasPty) context.skip('no pseudo terminal can be made here');
    const url = await serveGateway({ faults: [{ kind: 'stall', atStep: 1, session: 1 }] });
    const { type, waitForText: sees, ended } = startInPty(['chat', '--url', url]);
    await sees('> ');
    type(`${says('never')}\r`);
    await sees('never');
    // From this status on, Ctrl-C stops the answer.
    await sees('Setting up the session');
    type('ahead\u0003');
    await sees('Stopped.');
    await sees('> ');
    type(`${says('now then')}\r`);
    await sees('now then\r\n');
    await sees('> ');
    type('half a word\u0003');
    await sees('^C');
    await sees('> ');
    type('\u0003');
    await sees('Ctrl-C again, or Ctrl-D, ends the conversation.');
    type('\u0003');
    expect(await ended).toBe(0);
  });
});

describe('a conversation in a pipe', () => {
  it('answers each line as a message', async () => {
    const piped = `${says('one')}\n\n${says('two')}\n`;
    expect(await runCli(['chat'], piped)).toEqual({ code: 0, out: 'one\ntwo\n', err: '' });
  });

  it('ends at /quit even if the pipe stays open @nightly', async () => {
    const { child, ended } = startCli(['chat', '--json'], null);
    child.stdin?.write(`${says('one')}\n/quit\n`);
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toContain('"event":"done","text":"one"');
    expect(out.trim().split('\n').at(-1)).toContain('"event":"closed"');
  });
});
