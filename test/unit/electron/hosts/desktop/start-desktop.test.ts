import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeLog } from '../../../../../electron/app/process-log.ts';
import { openDesktop } from '../../../../../electron/hosts/desktop/start-desktop.ts';
import { type Lifetime, observeLifetimes } from '../../../../../shared/lifetime.ts';
import { eventually } from '../../../../fakes/promises.ts';
import { app, BrowserWindow, dialog, ipcMain, Tray } from '../../../../fakes/fake-electron.ts';
import { channels } from '../../../../../shared/ipc/bridge.ts';
import { deferred } from '../../../../fakes/promises.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

const begun = { failedBefore: 0, isSafe: false, done: () => undefined };
const startKillTimer = vi.fn<() => void>();

/** The app's output, the lifetime of its core, and a hook for the core's start. */
const stage = {
  output: '',
  core: undefined as Lifetime | undefined,
  onCoreBegin: (_lifetime: Lifetime): void => undefined,
};

// The app loads its core while its page loads. The first import is slow here, so it happens beforehand.
beforeAll(async () => {
  await import('../../../../../electron/app/parley.ts');
});

beforeEach(() => {
  stage.output = '';
  stage.core = undefined;
  stage.onCoreBegin = () => undefined;
  vi.clearAllMocks();
  vi.stubEnv('ELECTRON_RENDERER_URL', 'http://127.0.0.1:1');
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      stage.output += String(text);
      return true;
    });
  }
  observeLifetimes({
    onBegin: (lifetime) => {
      stage.core = lifetime;
      stage.onCoreBegin(lifetime);
    },
    onEnd: () => undefined,
  });
});

afterEach(() => {
  app.removeAllListeners();
  BrowserWindow.latest = undefined;
  BrowserWindow.all.clear();
  Tray.latest = undefined;
});

/** Opens the app until its page is loading. */
async function openUntilLoading() {
  const { fail } = openDesktop(composeLog(), begun, startKillTimer);
  await expect.poll(() => BrowserWindow.latest?.loadURL).toHaveBeenCalled();
  if (BrowserWindow.latest === undefined) throw new Error('Nothing opened.');
  return { window: BrowserWindow.latest, fail };
}

async function openUntilShown() {
  const { window, fail } = await openUntilLoading();
  window.emit('ready-to-show');
  window.loading.resolve();
  await expect.poll(() => stage.output).toBe('Parley is open.\n');
  if (stage.core === undefined) throw new Error('The core has not been loaded.');
  return { window, core: stage.core, fail };
}

const waitForExit = (code: number) =>
  eventually(() => {
    expect(app.exit.mock.calls[0]).toEqual([code]);
  });

describe('quitting the desktop app', () => {
  it('waits until everything that the core opened is closed', async () => {
    const { core } = await openUntilShown();
    const release = deferred();
    const closing = deferred();
    core.add(() => {
      closing.resolve();
      return release.promise;
    });
    app.quit();
    await closing.promise;
    expect(app.exit).not.toHaveBeenCalled();
    expect(ipcMain.removeHandler).not.toHaveBeenCalled();
    release.resolve();
    await waitForExit(0);
    expect(ipcMain.removeHandler.mock.calls).toEqual([[channels.request], [channels.dropped]]);
  });

  it('succeeds even if something fails to close, which is logged', async () => {
    const { core } = await openUntilShown();
    core.add(() => Promise.reject(new Error('the device hangs')));
    app.quit();
    await waitForExit(0);
    expect(stage.output).toContain('did not end cleanly');
  });

  it.each([
    ['it is quit', () => app.quit()],
    [
      'its window is closed',
      () => {
        BrowserWindow.latest?.close();
        app.emit('window-all-closed');
      },
    ],
  ])('exits without a failure if %s while the page is still loading', async (_, leave) => {
    await openUntilLoading();
    // The core ends slowly, so a second exit with another code has time to win.
    stage.onCoreBegin = (lifetime) => {
      lifetime.add(() => vi.dynamicImportSettled());
    };
    leave();
    await waitForExit(0);
    expect(stage.output).toBe('');
  });
});

describe('a fault', () => {
  async function failWithCoreOpen(): Promise<void> {
    const { core, fail } = await openUntilShown();
    let closed = false;
    core.add(() => {
      closed = true;
    });
    await fail('Parley has a fault.');
    expect(closed).toBe(true);
    await waitForExit(1);
  }

  it('restarts Parley after closing everything, if a window was open', async () => {
    await failWithCoreOpen();
    expect(stage.output).not.toContain('Parley has a fault.');
    expect(app.relaunch.mock.calls[0]?.[0].args.at(-1)).toMatch(/^--restarted-at=\d+$/);
  });

  it('is reported in one sentence after two recent restarts, and ends the app with a failure', async () => {
    const now = Date.now();
    process.argv.push(`--restarted-at=${now - 60_000},${now - 1000}`);
    await failWithCoreOpen().finally(() => process.argv.pop());
    expect(stage.output).toBe('Parley is open.\nParley has a fault.\n');
    expect(app.relaunch).not.toHaveBeenCalled();
  });
});

describe('a window that cannot be opened', () => {
  it('makes Parley close everything and restart once with a safe start', async () => {
    const { window } = await openUntilLoading();
    window.loading.reject(new Error('ERR_CONNECTION_REFUSED'));
    await waitForExit(1);
    expect(stage.core?.hasEnded).toBe(true);
    expect(app.relaunch).toHaveBeenCalledOnce();
    expect(app.relaunch.mock.calls[0]?.[0].args.slice(-2)).toEqual([
      '--safe-start',
      expect.stringMatching(/^--restarted-at=\d+$/),
    ]);
    expect(stage.output).toContain('Parley could not open its window: ERR_CONNECTION_REFUSED\n');
    expect(dialog.showMessageBox).not.toHaveBeenCalled();
  });
});

describe('a window that fails again after the safe start', () => {
  beforeEach(() => {
    process.argv.push(`--restarted-at=${Date.now() - 60_000}`);
    return () => {
      process.argv.pop();
    };
  });

  it('is reported in one sentence and in a dialog, after everything is closed', async () => {
    const shown = deferred();
    dialog.showMessageBox.mockImplementationOnce(() => shown.promise);
    const { window } = await openUntilLoading();
    window.loading.reject(new Error('ERR_CONNECTION_REFUSED'));
    await expect
      .poll(() => dialog.showMessageBox.mock.calls[0]?.[0].message)
      .toBe('Parley could not open its window: ERR_CONNECTION_REFUSED');
    expect(stage.output).toBe('Parley could not open its window: ERR_CONNECTION_REFUSED\n');
    expect(app.exit).not.toHaveBeenCalled();
    app.quit();
    await waitForExit(1);
    expect(stage.core?.hasEnded).toBe(true);
    shown.resolve();
  });
});
