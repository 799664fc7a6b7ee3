import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';
import { childrenOf, readCommand } from '../fixtures/processes.ts';

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
    // A process group, as in a terminal.
    detached: true,
  });
}

async function lineWith(child: ChildProcess, pattern: RegExp): Promise<string> {
  if (child.stdout === null) throw new Error('The process has no output.');
  for await (const line of createInterface(child.stdout)) {
    const found = pattern.exec(line)?.[0];
    if (found !== undefined) return found;
  }
  throw new Error(`The process ended without printing ${String(pattern)}.`);
}

/** Sends SIGINT to the group, as Ctrl+C in a terminal does. `close` comes when all its processes have ended. */
async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  if (child.pid === undefined) throw new Error('The process never started.');
  process.kill(-child.pid, 'SIGINT');
  await closed;
}

const startWindow = (): ChildProcess =>
  npmStart('--desktop', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []));

test('npm start without changes opens the window', async () => {
  const began = performance.now();
  const started = startWindow();
  await lineWith(started, /^Parley is open\.$/);
  test.info().annotations.push({
    type: 'measured',
    description: `npm start to the window: ${Math.round(performance.now() - began)} ms`,
  });
  await stop(started);
});

const stoppers: Readonly<Record<string, (started: ChildProcess) => void>> = {
  'npm alone gets SIGTERM': (npm) => npm.kill('SIGTERM'),
  'npm alone gets SIGINT': (npm) => npm.kill('SIGINT'),
  'npm alone is killed': (npm) => npm.kill('SIGKILL'),
  'its own script is killed': (npm) => {
    const script = childrenOf(npm.pid).find((pid) => readCommand(pid).includes('start.mjs'));
    if (script === undefined) throw new Error('npm runs no start.mjs.');
    process.kill(script, 'SIGKILL');
  },
};

for (const [how, end] of Object.entries(stoppers)) {
  test(`npm start ends its window when ${how}`, async () => {
    const started = startWindow();
    await lineWith(started, /^Parley is open\.$/);
    const below = childrenOf(started.pid);
    const left = () => below.map(readCommand).filter((command) => command !== '');
    try {
      end(started);
      await expect.poll(left).toEqual([]);
    } finally {
      if (left().length > 0) await stop(started);
    }
  });
}

test('npm start opens the browser host with --browser', async () => {
  const started = npmStart('--browser', '--port', '0');
  const address = await lineWith(started, /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/);
  expect(await (await fetch(address)).text()).toContain('<div id="root">');
  await stop(started);
});
