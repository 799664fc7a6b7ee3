import { channels } from '../../../../../shared/ipc/bridge.ts';
import { describe, expect, it, vi } from 'vitest';
import type { PostedNotice } from '../../../../../shared/ipc/bridge.ts';
import { deferred } from '../../../../fakes/deferred.ts';
import { eventually } from '../../../../fakes/eventually.ts';
import {
  app,
  BrowserWindow,
  ipcMain,
  powerMonitor,
  Tray,
} from '../../../../fakes/fake-electron.ts';
import { exited, opened, opening, stage } from './desktop-stage.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

describe('quitting the desktop app', () => {
  it('waits until everything that the core opened is closed', async () => {
    const { core } = await opened();
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
    await exited(0);
    expect(ipcMain.removeHandler.mock.calls).toEqual([[channels.request], [channels.dropped]]);
  });

  it('does not wait for what does not close, and logs it', async () => {
    const { core } = await opened();
    core.add(() => Promise.reject(new Error('the device hangs')));
    app.quit();
    await exited(0);
    expect(stage.said).toContain('did not end cleanly');
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
    await opening();
    // The core ends slowly, so a second exit with another code has time to win.
    stage.atOnce = (lifetime) => {
      lifetime.add(() => new Promise((resolve) => setTimeout(resolve, 20)));
    };
    leave();
    await exited(0);
    expect(stage.said).toBe('');
  });

  it('handles the system’s resume events until it quits', async () => {
    await opened();
    expect(powerMonitor.listenerCount('resume')).toBe(1);
    app.quit();
    await exited(0);
    expect(powerMonitor.listenerCount('resume')).toBe(0);
  });

  it('shows no window that was closed while it loaded', async () => {
    const { window } = await opening();
    window.emit('ready-to-show');
    window.loading.resolve();
    app.quit();
    await exited(0);
    expect(stage.said).toBe('');
  });
});

describe('a fault', () => {
  async function faulted(): Promise<void> {
    const { core, fail } = await opened();
    let closed = false;
    core.add(() => {
      closed = true;
    });
    await fail('Parley has a fault.');
    expect(closed).toBe(true);
    await exited(1);
  }

  it('restarts Parley after closing everything, if a window was open', async () => {
    await faulted();
    expect(stage.said).not.toContain('Parley has a fault.');
    expect(app.relaunch.mock.calls[0]?.[0].args.at(-1)).toMatch(/^--restarted-at=\d+$/);
  });

  it('is reported in one sentence after two recent restarts, and ends the app with a failure', async () => {
    const now = Date.now();
    process.argv.push(`--restarted-at=${now - 60_000},${now - 1000}`);
    await faulted().finally(() => process.argv.pop());
    expect(stage.said).toBe('Parley is open.\nParley has a fault.\n');
    expect(app.relaunch).not.toHaveBeenCalled();
  });
});

describe('the core', () => {
  it('is loaded once the window shows its page', async () => {
    const { window } = await opening();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stage.core).toBeUndefined();
    window.emit('ready-to-show');
    window.loading.resolve();
    await eventually(() => {
      expect(Tray.latest).toBeDefined();
    });
    app.quit();
    await exited(0);
  });
});

describe('a page of the window', () => {
  type Ask = (event: object, name: string, input: unknown) => Promise<{ readonly ok: boolean }>;

  it('ends when it reloads, with everything that it watched', async () => {
    const { window } = await opened();
    const mainFrame = { url: 'http://127.0.0.1:1/' };
    Object.assign(window.webContents, { mainFrame });
    const handle = ipcMain.handle.mock.calls[0]?.[1] as Ask;
    const ask = (name: string, input: unknown) => handle({ senderFrame: mainFrame }, name, input);
    const wires = (): number =>
      window.webContents.send.mock.calls
        .flatMap(([, batch]) => batch as readonly PostedNotice[])
        .filter(({ notice }) => notice.name === 'wire').length;
    const tryServer = async (): Promise<void> => {
      await ask('testEndpoint', { server: { id: 'embedded' }, mode: 'audio' });
      await new Promise((resolve) => setTimeout(resolve, 150));
    };
    expect(await ask('watchWire', { on: true })).toMatchObject({ ok: true });
    await tryServer();
    await eventually(() => {
      expect(wires()).toBeGreaterThan(0);
    });
    // A navigation within the page does not end it.
    window.webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true });
    const before = wires();
    await tryServer();
    await eventually(() => {
      expect(wires()).toBeGreaterThan(before);
    });
    window.webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
    const after = wires();
    await tryServer();
    expect(wires()).toBe(after);
    app.quit();
    await exited(0);
  });
});
