import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCli, startCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { eventsOf, serveGateway } from './cli-talk.ts';

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

// The terminal echoes typed text with two returns, and an answer with one.
describe('a conversation at a prompt', () => {
  it('streams answers, remembers them, is saved, and ends at Ctrl-D', async (context) => {
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

  it('stops an answer at one Ctrl-C and ends at two', async (context) => {
    if (!hasPty) context.skip('no pseudo terminal can be made here');
    const url = await serveGateway({ faults: [{ kind: 'stall', atStep: 1, session: 1 }] });
    const { type, waitForText: sees, ended } = startInPty(['chat', '--url', url]);
    await sees('> ');
    type(`${says('never')}\r`);
    await sees('never');
    // The answer is on its way when the connection is there.
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
  it('answers a message a line', async () => {
    const piped = `${says('one')}\n\n${says('two')}\n`;
    expect(await runCli(['chat'], piped)).toEqual({ code: 0, out: 'one\ntwo\n', err: '' });
  });

  it('reports a missing question if the pipe is empty', async () => {
    const { code, out, err } = await runCli(['chat']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Enter a question: parley chat "TEXT"');
  });

  it('ends at /quit even if the pipe stays open', async () => {
    const { child, ended } = startCli(['chat', '--json'], null);
    child.stdin?.write(`${says('one')}\n/quit\n`);
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toContain('"event":"done","text":"one"');
    expect(out.trim().split('\n').at(-1)).toContain('"event":"closed"');
  });

  it('exits with 3 without a server', async () => {
    const { code, err } = await runCli(['chat', '--url', 'ws://127.0.0.1:1'], 'One\nTwo\n');
    expect(code).toBe(3);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

describe('a server of the older generation', () => {
  it('receives the chats of a conversation through its own path', async () => {
    const state = workFolder()('state');
    const env = { ...process.env, PARLEY_STATE_DIR: state };
    const url = await serveGateway({ dialect: 'legacy', profile: 'deployed' });
    const set = await runCli(['chat', says('one'), '--url', url, '--dialect', 'legacy'], '', env);
    expect(set).toEqual({ code: 0, out: 'one\n', err: '' });
    // The first run has stored the server's generation.
    const piped = `${says('two')}\n${says('three')}\n`;
    const found = await runCli(['chat', '--url', url, '--json'], piped, env);
    expect({ code: found.code, err: found.err }).toEqual({ code: 0, err: '' });
    const events = eventsOf(found.out);
    expect(events.flatMap((line) => (line.event === 'state' ? [line.state] : []))).toEqual([
      'connecting',
      'live',
      'connecting',
      'live',
      'closed',
    ]);
    expect(events.filter(({ event }) => event === 'done')).toMatchObject([
      { text: 'two', reason: 'turn_end' },
      { text: 'three', reason: 'turn_end' },
    ]);
  });

  it('reports that it has no chat path', async () => {
    const { code, out, err } = await runCli(['chat', 'Hello', '--dialect', 'legacy']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^This server speaks the legacy protocol and offers no chat\.[^\n]*\n$/);
  });
});
