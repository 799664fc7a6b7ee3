import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../../fakes/deferred.ts';
import { eventually } from '../../../../fakes/eventually.ts';
import { app, dialog } from '../../../../fakes/fake-electron.ts';
import { exited, opening, stage } from './desktop-stage.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

describe('if the window cannot be opened, Parley', () => {
  it('closes everything and restarts once with a safe start', async () => {
    const { window } = await opening();
    window.loading.reject(new Error('ERR_CONNECTION_REFUSED'));
    await exited(1);
    expect(stage.core?.hasEnded).toBe(true);
    expect(app.relaunch).toHaveBeenCalledOnce();
    expect(app.relaunch.mock.calls[0]?.[0].args.slice(-2)).toEqual([
      '--safe-start',
      expect.stringMatching(/^--restarted-at=\d+$/),
    ]);
    expect(stage.said).toContain('Parley could not open its window: ERR_CONNECTION_REFUSED\n');
    expect(dialog.showMessageBox).not.toHaveBeenCalled();
  });

  it('does not restart after a quit', async () => {
    const { window } = await opening();
    app.quit();
    window.loading.reject(new Error('ERR_CONNECTION_REFUSED'));
    await exited(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(app.relaunch).not.toHaveBeenCalled();
  });
});

describe('a window that fails again after the safe start', () => {
  beforeEach(() => {
    process.argv.push(`--restarted-at=${Date.now() - 60_000}`);
    return () => {
      process.argv.pop();
    };
  });

  it('is reported in one sentence, after everything is closed', async () => {
    const { window } = await opening();
    window.loading.reject(new Error('ERR_CONNECTION_REFUSED'));
    await exited(1);
    expect(stage.core?.hasEnded).toBe(true);
    expect(stage.said).toBe('Parley could not open its window: ERR_CONNECTION_REFUSED\n');
  });

  it('is also reported in a dialog, and Parley then exits with 1', async () => {
    const shown = deferred();
    dialog.showMessageBox.mockImplementationOnce(() => shown.promise);
    const { window } = await opening();
    window.loading.reject(new Error('ERR_CONNECTION_REFUSED'));
    await eventually(() => {
      expect(dialog.showMessageBox.mock.calls[0]?.[0].message).toBe(stage.said.trimEnd());
    });
    expect(app.exit).not.toHaveBeenCalled();
    app.quit();
    await exited(1);
    shown.resolve();
  });

  it('is reported without a dialog if there is a terminal', async () => {
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
});

it('ignores a load that a reload aborts', async () => {
  const { window } = await opening();
  const replaced = new Error('ERR_ABORTED (-3) loading it');
  window.loading.reject(Object.assign(replaced, { code: 'ERR_ABORTED' }));
  window.emit('ready-to-show');
  await eventually(() => {
    expect(stage.said).toBe('Parley is open.\n');
  });
  expect(app.exit).not.toHaveBeenCalled();
  app.quit();
  await exited(0);
});
