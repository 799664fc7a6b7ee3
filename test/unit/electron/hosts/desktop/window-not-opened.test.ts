import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeLog } from '../../../../../electron/core/compose-log.ts';
import { openDesktop } from '../../../../../electron/hosts/desktop/desktop.ts';
import { watchLifetimes } from '../../../../../shared/lifetime.ts';
import type { Lifetime } from '../../../../../shared/lifetime.ts';
import { app, BrowserWindow, dialog, Tray } from '../../../../fakes/fake-electron.ts';
import { deferred } from '../../../../fakes/deferred.ts';
import { eventually } from '../../../../fakes/eventually.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

const begun = { failedBefore: 0, safe: false, done: () => undefined };
let said: string;
let core: Lifetime | undefined;

// The app loads its core when its page is on its way; the first time that takes a while here.
beforeAll(async () => {
  await import('../../../../../electron/core/compose-parley.ts');
});

beforeEach(() => {
  said = '';
  core = undefined;
  vi.clearAllMocks();
  vi.stubEnv('ELECTRON_RENDERER_URL', 'http://127.0.0.1:1');
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
  }
  watchLifetimes({ begun: (lifetime) => (core = lifetime), ended: () => undefined });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  app.removeAllListeners();
  BrowserWindow.latest = undefined;
  BrowserWindow.all.clear();
  Tray.latest = undefined;
});

/** Opens it up to where its page is being loaded. */
async function opening() {
  openDesktop({ log: composeLog(), begun, lastWayOut: () => undefined });
  await eventually(() => {
    expect(BrowserWindow.latest?.loadURL).toHaveBeenCalled();
  });
  if (BrowserWindow.latest === undefined) throw new Error('Nothing opened.');
  return { window: BrowserWindow.latest };
}

const exited = (code: number) =>
  eventually(() => {
    expect(app.exit.mock.calls[0]).toEqual([code]);
  });

describe('a window that cannot be opened', () => {
  it('has Parley start once more, carefully, when all is closed', async () => {
    const { window } = await opening();
    window.loading.reject(new Error('ERR_CONNECTION_REFUSED'));
    await exited(1);
    expect(core?.hasEnded).toBe(true);
    expect(app.relaunch).toHaveBeenCalledOnce();
    expect(app.relaunch.mock.calls[0]?.[0].args.slice(-2)).toEqual([
      '--safe-start',
      expect.stringMatching(/^--restarted-at=\d+$/),
    ]);
    expect(said).toContain('Parley could not open its window: ERR_CONNECTION_REFUSED\n');
    expect(dialog.showMessageBox).not.toHaveBeenCalled();
  });

  it('has nothing started anew once it is quit', async () => {
    const { window } = await opening();
    app.quit();
    window.loading.reject(new Error('ERR_CONNECTION_REFUSED'));
    await exited(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(app.relaunch).not.toHaveBeenCalled();
  });
});

describe('a window that cannot be opened again', () => {
  beforeEach(() => {
    process.argv.push(`--restarted-at=${Date.now() - 60_000}`);
    return () => {
      process.argv.pop();
    };
  });

  it('is said in a sentence, after all is closed', async () => {
    const { window } = await opening();
    window.loading.reject(new Error('ERR_CONNECTION_REFUSED'));
    await exited(1);
    expect(core?.hasEnded).toBe(true);
    expect(said).toBe('Parley could not open its window: ERR_CONNECTION_REFUSED\n');
  });

  it('is said in a box too, unless it stands in a terminal, and ends with 1 whoever closes first', async () => {
    const shown = deferred();
    dialog.showMessageBox.mockImplementationOnce(() => shown.promise);
    const { window } = await opening();
    window.loading.reject(new Error('ERR_CONNECTION_REFUSED'));
    await eventually(() => {
      expect(dialog.showMessageBox.mock.calls[0]?.[0].message).toBe(said.trimEnd());
    });
    expect(app.exit).not.toHaveBeenCalled();
    app.quit();
    await exited(1);
    shown.resolve();
  });

  it('is said in the terminal alone where there is one', async () => {
    Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
    try {
      const { window } = await opening();
      window.loading.reject(new Error('ERR_CONNECTION_REFUSED'));
      await exited(1);
      expect(dialog.showMessageBox).not.toHaveBeenCalled();
    } finally {
      Object.defineProperty(process.stderr, 'isTTY', { value: false, configurable: true });
    }
  });

  it('is not one whose page is loaded anew while it still loads', async () => {
    const { window } = await opening();
    const replaced = new Error('ERR_ABORTED (-3) loading it');
    window.loading.reject(Object.assign(replaced, { code: 'ERR_ABORTED' }));
    window.emit('ready-to-show');
    await eventually(() => {
      expect(said).toBe('Parley is open.\n');
    });
    expect(app.exit).not.toHaveBeenCalled();
    app.quit();
    await exited(0);
  });
});
