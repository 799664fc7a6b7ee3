import type { ElectronApplication, Page } from '@playwright/test';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCli } from '../../fakes/run-cli.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { openDesktop } from '../fixtures/open-desktop.ts';
import { killPage, readPage } from '../fixtures/pages/app-windows.ts';
import { openAbout } from '../fixtures/pages/settings-screen.ts';
import { untilPrinted } from '../fixtures/processes.ts';
import { stateDirEnvironment, type HostKind } from '../fixtures/running-host.ts';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { shippedProgram } from '../fixtures/inspectable-package.ts';

const root = resolve(import.meta.dirname, '../../..');

type SpawnedDesktop = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Starts the app like a launcher: without a debugger, with pipes that the test may close. The package is the shipped
 * one.
 */
function spawnDesktop(home: string, host: HostKind): SpawnedDesktop {
  return host === 'packaged' ? spawnIn(home, shippedProgram, []) : spawnSources(home, root);
}

/** Starts a folder of sources in a bare Electron. */
function spawnSources(home: string, app: string): SpawnedDesktop {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const executable =
    override === undefined
      ? (createRequire(import.meta.url)('electron') as string)
      : join(override, 'electron');
  return spawnIn(home, executable, [app]);
}

function spawnIn(home: string, program: string, args: readonly string[]): SpawnedDesktop {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return spawn(program, [...args, ...asRoot], {
    cwd: root,
    env: { ...process.env, ...stateDirEnvironment(home), XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

// Faults, crashes and ends of the real app. Unit tests of `electron/hosts/desktop` hold the rules.

const maxQuitMs = 8000;

async function startTalk(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeVisible();
}

const stateFolder = (electron: ElectronApplication): Promise<string> =>
  electron.evaluate(() => process.env['PARLEY_STATE_DIR'] ?? '');

/** The log in a state folder; empty before its first line. */
function readLog(state: string): string {
  const file = join(state, 'logs/parley.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

test('an uncaught error in main is logged and survived during a talk', async ({
  electron,
  page,
}) => {
  await startTalk(page);
  await electron.evaluate(({ dialog }) => {
    dialog.showErrorBox = () => Reflect.set(globalThis, 'box', 'shown');
    setTimeout(() => {
      throw new Error('planted: token=abc123');
    });
    void Promise.reject(new Error('planted as well'));
  });
  const state = await stateFolder(electron);
  await expect.poll(() => readLog(state)).toContain('unhandled rejection: Error: planted');
  // The exception and the rejection may be logged in either order.
  await expect.poll(() => readLog(state)).toContain('uncaught exception: Error: planted: token=…');
  expect(readLog(state)).not.toContain('abc123');
  expect(await readPage(electron, 'main')).toMatchObject({ phase: 'live' });
  expect(await electron.evaluate(() => Reflect.get(globalThis, 'box') as unknown)).toBeUndefined();
});

/** The page runs forever, so it answers nothing. */
const hangPage = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(({ BrowserWindow }) => {
    void BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('for (;;);');
  });

test.describe('with a talk key', () => {
  test.use({ stored: { firstRun: { done: true }, talking: { mode: 'hold' } } });

  for (const [how, tag, breakPage, text] of [
    ['is killed', '', killPage, /This window crashed and was reopened\.\s+Your talk continued/],
    ['hangs', ' @nightly', hangPage, /This window stopped responding and was reopened/],
  ] as const) {
    test(`a page that ${how} with the talk key held stops transmitting and is replaced, and the talk continues${tag}`, async ({
      electron,
      page,
    }) => {
      await page.getByRole('button', { name: 'Start talking' }).click();
      await expect(page.getByRole('button', { name: 'Hold to talk' })).toBeVisible();
      await page.keyboard.down('Space');
      await expect(page.getByRole('button', { name: 'Parley hears you' })).toBeVisible();
      const before = await readPage(electron, 'main');
      expect(before).toMatchObject({ phase: 'live', transmitting: true });
      await breakPage(electron, 'main');
      await expect
        .poll(async () => (await readPage(electron, 'main'))?.text, { timeout: 60_000 })
        .toMatch(text);
      const after = await readPage(electron, 'main');
      expect(after).toMatchObject({ crashed: false, phase: 'live', transmitting: false });
      expect(after?.pid).not.toBe(before?.pid);
    });
  }
});

test('a crash of the page leaves a local report, which can be deleted @nightly', async ({
  electron,
}) => {
  // A killed page leaves no report.
  await electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
  await expect.poll(() => readPage(electron, 'main')).toMatchObject({ crashed: false });
  const ask = (request: string): Promise<unknown> =>
    electron.evaluate(
      ({ BrowserWindow }, request) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(request),
      request,
    );
  const counted = () =>
    ask(`window.parley.request('storedData', undefined)
      .then(({ value }) => value.find(({ kind }) => kind === 'crashes').count)`);
  await expect.poll(counted).toBeGreaterThan(0);
  await ask(`window.parley.request('deleteStoredData', { kind: 'crashes' }).then(({ ok }) => ok)`);
  expect(await counted()).toBe(0);
});

/**
 * The built app, which throws an error before it has a window, except in a safe start. Each start appends its process id to
 * the file `starts`.
 */
async function createFaultyApp(home: string): Promise<string> {
  const folder = join(home, 'planted');
  const main = pathToFileURL(resolve(import.meta.dirname, '../../../out/main/main.js')).href;
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"main":"main.mjs","type":"module"}');
  await writeFile(
    join(folder, 'main.mjs'),
    `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(join(home, 'starts'))}, process.pid + '\\n');
    await import(${JSON.stringify(main)});
    if (!process.argv.includes('--safe-start')) setTimeout(() => { throw new Error('planted'); });`,
  );
  return folder;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a fault before the window opens causes one safe start, which opens the window @nightly', async ({
  home,
  host,
}) => {
  test.skip(host === 'packaged', 'a package runs its own archive alone (fuse OnlyLoadAppFromAsar)');
  const child = spawnSources(home, await createFaultyApp(home));
  // A restarted app has no pipe to the test.
  const starts = async (): Promise<readonly number[]> =>
    (await readFile(join(home, 'starts'), 'utf8')).trim().split('\n').map(Number);
  const environment = stateDirEnvironment(home);
  try {
    expect(await once(child, 'exit')).toEqual([1, null]);
    const show = () => runCli(['show'], '', { ...process.env, ...environment });
    await expect.poll(async () => (await show()).code).toBe(0);
    expect(await starts()).toHaveLength(2);
    const log = readLog(environment.PARLEY_STATE_DIR);
    expect(log.split('uncaught exception: Error: planted')).toHaveLength(2);
    expect(log).toContain('Parley restarts because of the errors above');
    expect(log).toContain('starting in safe mode');
  } finally {
    const again = (await starts()).filter((pid) => pid !== child.pid);
    for (const pid of again) process.kill(pid, 'SIGTERM');
    await expect.poll(() => again.filter(isAlive)).toEqual([]);
  }
});

test('the third start after two unfinished ones is a safe start @nightly', async ({
  start,
  home,
}) => {
  const state = stateDirEnvironment(home).PARLEY_STATE_DIR;
  await mkdir(state, { recursive: true });
  await writeFile(join(state, 'starting'), '2');
  const note = /Parley could not start/;
  const safe = await start();
  await expect(safe.page.getByText(note)).toBeVisible();
  expect(readdirSync(state)).not.toContain('starting');
  const usual = await start();
  await expect(usual.page.getByRole('button', { name: 'Start talking' })).toBeVisible();
  await expect(usual.page.getByText(note)).toHaveCount(0);
});

test('a second start hands over its command and ends', async ({ home, host }) => {
  const child = spawnDesktop(home, host);
  const exit = once(child, 'exit');
  try {
    await untilPrinted(child, /^Parley is open\.$/);
    const second = spawnDesktop(home, host);
    const ended = once(second, 'exit');
    await untilPrinted(second, /^Parley is already running/);
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGTERM');
    await exit;
  }
});

/** Measures from outside, where a hanging process cannot delay the clock. */
async function quitTime(electron: ElectronApplication): Promise<readonly [number, unknown]> {
  const exit = once(electron.process(), 'exit');
  const began = performance.now();
  electron.process().kill('SIGTERM');
  const [code, signal] = (await exit) as [number | null, string | null];
  return [performance.now() - began, code ?? signal];
}

test('quitting kills a process whose call never returns @nightly', async ({
  host,
  language,
  home,
}) => {
  const { electron, close } = await openDesktop({ kind: host, language, home });
  if (electron === undefined) throw new Error('Electron has not been started.');
  await electron.evaluate(({ ipcMain }) => {
    ipcMain.removeHandler = () => {
      for (;;);
    };
  });
  const [took, how] = await quitTime(electron);
  // A busy machine reports the end later. Without Parley's kill timer, the process would never end.
  expect(took).toBeLessThan(2 * maxQuitMs);
  expect(how).toBe('SIGKILL');
  await close().catch(() => undefined);
});

test('quitting exits in time although the page does not answer @nightly', async ({
  electron,
  page,
}) => {
  await startTalk(page);
  await hangPage(electron);
  const [took, code] = await quitTime(electron);
  expect(took).toBeLessThan(maxQuitMs);
  expect(code).toBe(0);
});

test('quitting removes the core’s request handlers @nightly', async ({
  electron,
  page,
  running,
}, testInfo) => {
  await openAbout(page);
  await expect(page.getByRole('listitem').getByRole('status')).toHaveText(['Loads', 'Loads']);
  // The core's lifetime removes the request handlers; quitting alone does not.
  const file = testInfo.outputPath('removed-handlers');
  await electron.evaluate(({ ipcMain }, file) => {
    const { appendFileSync } = process.getBuiltinModule('node:fs');
    const remove = ipcMain.removeHandler.bind(ipcMain);
    ipcMain.removeHandler = (channel) => {
      appendFileSync(file, channel);
      remove(channel);
    };
  }, file);
  await running.close();
  expect(await readFile(file, 'utf8')).toBe('parley:requestparley:dropped');
});

test('quitting while the page is loading exits with code 0 @nightly', async ({
  host,
  language,
}) => {
  const running = await openDesktop({ kind: host, language, painted: false });
  await running.close(); // rejects unless Electron ended with 0
});
