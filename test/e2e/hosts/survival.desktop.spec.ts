import type { ElectronApplication, Page } from '@playwright/test';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCli } from '../../fakes/run-cli.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { openDesktop } from '../fixtures/open-desktop.ts';
import { readPage } from '../fixtures/pages/app-windows.ts';
import { childrenOf, readCommand } from '../fixtures/processes.ts';
import { stateDirEnvironment } from '../fixtures/running-host.ts';
import { spawnDesktop, waitForLine } from '../fixtures/spawn-desktop.ts';

const patient = { timeout: 30_000 };
const maxQuitMs = 8000;

async function startTalk(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeVisible(patient);
}

async function readLog(electron: ElectronApplication): Promise<string> {
  const folder = await electron.evaluate(() => process.env['PARLEY_STATE_DIR'] ?? '');
  // The file does not exist before the first line.
  return readFile(join(folder, 'logs/parley.log'), 'utf8').catch(() => '');
}

/** Measures from outside, where a hanging process cannot delay the clock. */
async function quitTime(electron: ElectronApplication): Promise<readonly [number, unknown]> {
  const exit = once(electron.process(), 'exit');
  const began = performance.now();
  electron.process().kill('SIGTERM');
  const [code, signal] = (await exit) as [number | null, string | null];
  const took = performance.now() - began;
  test.info().annotations.push({ type: 'measured', description: `quit: ${Math.round(took)} ms` });
  return [took, code ?? signal];
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
  await expect.poll(() => readLog(electron)).toContain('unhandled rejection: Error: planted');
  // The two may be logged in either order.
  await expect
    .poll(() => readLog(electron))
    .toContain('uncaught exception: Error: planted: token=…');
  const log = await readLog(electron);
  expect(log).not.toContain('abc123');
  expect(await readPage(electron, 'main')).toMatchObject({ phase: 'live' });
  expect(await electron.evaluate(() => Reflect.get(globalThis, 'box') as unknown)).toBeUndefined();
});

test('an error that keeps coming restarts Parley', async ({ host, language, home }) => {
  const { electron, page, close } = await openDesktop({ kind: host, language, home });
  if (electron === undefined) throw new Error('Electron has not been started.');
  await startTalk(page);
  const exit = once(electron.process(), 'exit');
  const note = join(home, 'relaunched');
  await electron.evaluate(({ app }, note) => {
    app.relaunch = (options) => {
      process.getBuiltinModule('node:fs').writeFileSync(note, JSON.stringify(options));
    };
    setInterval(() => {
      throw new Error('planted');
    }, 20);
  }, note);
  expect(await exit).toEqual([1, null]);
  // The fixture expects exit code 0.
  await close().catch(() => undefined);
  expect(JSON.parse(await readFile(note, 'utf8'))).toMatchObject({
    args: expect.arrayContaining([expect.stringMatching(/^--restarted-at=\d+$/)]),
  });
  const log = readFileSync(
    join(stateDirEnvironment(home).PARLEY_STATE_DIR, 'logs/parley.log'),
    'utf8',
  );
  // Repeated lines are counted, not written fifty times a second.
  expect(log.split('uncaught exception').length).toBeLessThan(8);
  expect(log).toContain('Parley restarts because of the errors above');
});

test.describe('quitting', () => {
  test('quitting abandons and names a release that never returns', async ({ start, home }) => {
    const { electron, page } = await start();
    if (electron === undefined) throw new Error('Electron has not been started.');
    await startTalk(page);
    // From now on no written file gets its final name.
    await electron.evaluate(() => {
      const files = process.getBuiltinModule('node:fs/promises');
      files.rename = () => new Promise(() => undefined);
      process.getBuiltinModule('node:module').syncBuiltinESMExports();
    });
    const [took, code] = await quitTime(electron);
    expect(took).toBeLessThan(maxQuitMs);
    expect(code).toBe(0);
    const { PARLEY_STATE_DIR } = stateDirEnvironment(home);
    expect(readFileSync(join(PARLEY_STATE_DIR, 'logs/parley.log'), 'utf8')).toContain(
      'it did not close in time: window bounds',
    );
  });

  test('quitting ends a process whose call never returns', async ({ host, language, home }) => {
    const { electron, close } = await openDesktop({ kind: host, language, home });
    if (electron === undefined) throw new Error('Electron has not been started.');
    await electron.evaluate(({ ipcMain }) => {
      ipcMain.removeHandler = () => {
        for (;;);
      };
    });
    const [took, how] = await quitTime(electron);
    expect(took).toBeLessThan(maxQuitMs + 500);
    expect(how).toBe('SIGKILL');
    await close().catch(() => undefined);
  });

  test('quitting ends with a page that does not answer', async ({ electron, page }) => {
    await startTalk(page);
    void page.evaluate('for (;;);').catch(() => undefined);
    const [took, code] = await quitTime(electron);
    expect(took).toBeLessThan(maxQuitMs);
    expect(code).toBe(0);
  });
});

test('closed output pipes do not end Parley, and SIGTERM still does', async ({ home, host }) => {
  test.setTimeout(90_000);
  const state = stateDirEnvironment(home).PARLEY_STATE_DIR;
  await mkdir(state, { recursive: true });
  await writeFile(join(state, 'settings.json'), '{"version":1,"firstRun":{"done":true}}');
  const child = spawnDesktop(home, host);
  const exit = once(child, 'exit');
  await waitForLine(child, /^Parley is open\.$/);
  const environment = { ...process.env, ...stateDirEnvironment(home) };
  const parley = (...args: readonly string[]) => runCli(args, '', environment);
  await expect.poll(async () => (await parley('show')).code, patient).toBe(0);
  child.stdout.destroy();
  child.stderr.destroy();
  const log = (): string =>
    existsSync(join(state, 'logs')) ? readFileSync(join(state, 'logs/parley.log'), 'utf8') : '';
  expect((await parley('start')).code).toBe(0);
  // Only the end of a talk that was live is logged, and no command tells when it is live.
  await wait(2000);
  // A page's death writes to the closed stderr, and so does the talk's end.
  for (const pid of renderersOf(child.pid)) process.kill(pid, 'SIGKILL');
  await expect.poll(log, patient).toContain('the page of the main window crashed');
  expect((await parley('interrupt')).code).toBe(0);
  expect((await parley('stop')).code).toBe(0);
  const talkAgain = async (): Promise<string> => {
    if (log().includes('info: ')) return log();
    await parley('start');
    await wait(3000);
    await parley('stop');
    return log();
  };
  await expect.poll(talkAgain, patient).toContain('info: ');
  expect(child.exitCode).toBeNull();
  const began = performance.now();
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(performance.now() - began).toBeLessThan(maxQuitMs);
});

test('the third start after two unfinished ones is a safe start', async ({ start, home }) => {
  test.setTimeout(90_000);
  const state = stateDirEnvironment(home).PARLEY_STATE_DIR;
  await mkdir(state, { recursive: true });
  await writeFile(join(state, 'settings.json'), '{"version":1,"firstRun":{"done":true}}');
  await writeFile(join(state, 'starting'), '2');
  const note = /Parley could not start/;
  const safe = await start();
  await expect(safe.page.getByText(note)).toBeVisible();
  await safe.page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(safe.page.getByText(note)).toHaveCount(0);
  expect(readdirSync(state)).not.toContain('starting');
  const usual = await start();
  await expect(usual.page.getByRole('button', { name: 'Start talking' })).toBeVisible();
  await expect(usual.page.getByText(note)).toHaveCount(0);
});

test('a crash of the page leaves a local report, which can be deleted', async ({
  electron,
  page,
}) => {
  await killWithReport(electron);
  await expect.poll(() => readPage(electron, 'main'), patient).toMatchObject({ crashed: false });
  const counted = (): Promise<number> =>
    electron.evaluate(async ({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return (await window?.webContents.executeJavaScript(
        `window.parley.request('storedData', undefined).then(({ value }) =>
          value.find(({ kind }) => kind === 'crashes').count)`,
      )) as number;
    });
  await expect.poll(counted, patient).toBeGreaterThan(0);
  await electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
      `window.parley.request('deleteStoredData', { kind: 'crashes' }).then(({ ok }) => ok)`,
    ),
  );
  expect(await counted()).toBe(0);
  expect(page.isClosed()).toBe(false);
});

/** Crashes the page, because a killed one leaves no report. */
function killWithReport(electron: ElectronApplication): Promise<void> {
  return electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
}

function renderersOf(main: number | undefined): readonly number[] {
  return childrenOf(main).filter((pid) => readCommand(pid).includes('--type=renderer'));
}
