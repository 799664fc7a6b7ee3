import { expect, test } from '@playwright/test';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Lifetime } from '../../../shared/lifetime.ts';
import { copySourceTree, runDevServer } from '../fixtures/dev-server.ts';
import { untilPrinted } from '../fixtures/processes.ts';

const root = resolve(import.meta.dirname, '../../..');
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
let home: string;

test.beforeAll(async ({ browserName: _asked }, info) => {
  test.skip(info.project.name === 'packaged', 'a package has no sources to start or change');
  home = await mkdtemp(join(tmpdir(), 'parley-home-'));
});

test.afterAll(() => rm(home, { recursive: true, force: true }));

// `npm-exit.test.ts` shows that the host ends with npm.
test('npm start opens the window, and with --browser the browser host', async () => {
  const window = npmStart('--desktop', ...sandbox);
  await untilPrinted(window, /^Parley is open\.$/);
  await stop(window);
  const browser = npmStart('--browser', '--port', '0');
  const address = await untilPrinted(browser, /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/);
  expect(await (await fetch(address)).text()).toContain('<div id="root">');
  await stop(browser);
});

function npmStart(...options: string[]): ChildProcess {
  return spawn('npm', ['start', '--silent', '--', ...options], {
    cwd: root,
    env: { ...process.env, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group, as in a terminal.
    detached: true,
  });
}

/** Sends SIGINT to the group, as Ctrl+C in a terminal does. `close` comes when all its processes have ended. */
async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  if (child.pid === undefined) throw new Error('The process never started.');
  process.kill(-child.pid, 'SIGINT');
  await closed;
}

// `dev.browser.spec.ts` shows how changes reach an open page.
test('npm run dev opens a new window for a changed core, and Ctrl+C ends every process', async () => {
  test.setTimeout(300_000);
  const patient = { timeout: 60_000 };
  const lifetime = new Lifetime('npm run dev');
  try {
    const { tree, edit } = await copySourceTree(lifetime);
    const dev = runDevServer(tree, ['--desktop', ...sandbox], { XDG_CONFIG_HOME: home });
    lifetime.add(dev.kill);
    const opened = () => dev.output().match(/^Parley is open\.$/gm)?.length ?? dev.output();
    await expect.poll(opened, patient).toBe(1);
    await edit('electron/platform/system/native-libraries.ts', "'Node'", "'Changed Node'");
    await expect.poll(opened, patient).toBeGreaterThan(1);
    expect(await dev.interrupt(), dev.output()).toBe(0);
    await expect.poll(dev.isRunning, patient).toBe(false);
  } finally {
    await lifetime.end();
  }
});
