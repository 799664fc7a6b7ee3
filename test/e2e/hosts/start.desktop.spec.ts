import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';

const root = resolve(import.meta.dirname, '../../..');
let home: string;

test.beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-home-'));
});

test.afterAll(() => rm(home, { recursive: true, force: true }));

function npmStart(...options: string[]): ChildProcess {
  return spawn('npm', ['start', '--silent', '--', ...options], {
    cwd: root,
    env: { ...process.env, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, as a terminal would give it: npm does not pass signals on.
    detached: true,
  });
}

async function lineWith(child: ChildProcess, pattern: RegExp): Promise<string> {
  if (child.stdout === null) throw new Error('It has no output.');
  for await (const line of createInterface(child.stdout)) {
    const found = pattern.exec(line)?.[0];
    if (found !== undefined) return found;
  }
  throw new Error(`It ended without saying ${String(pattern)}.`);
}

/** Ends it as Ctrl+C in a terminal does. `close` comes when the last of the group has let go. */
async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  if (child.pid === undefined) throw new Error('It never started.');
  process.kill(-child.pid, 'SIGINT');
  await closed;
}

test('npm start with nothing changed reaches the window', async () => {
  const began = performance.now();
  const started = npmStart('--desktop', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []));
  await lineWith(started, /^Parley is open\.$/);
  test.info().annotations.push({
    type: 'measured',
    description: `npm start to the window: ${Math.round(performance.now() - began)} ms`,
  });
  await stop(started);
});

test('npm start opens in the browser when asked', async () => {
  const started = npmStart('--browser', '--port', '0');
  const address = await lineWith(started, /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/);
  expect(await (await fetch(address)).text()).toContain('<div id="root">');
  await stop(started);
});
