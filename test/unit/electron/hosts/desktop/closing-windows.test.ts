import { describe, expect, it, vi } from 'vitest';
import { chooseClosingAction } from '../../../../../electron/hosts/desktop/desktop-windows.ts';
import { app, BrowserWindow } from '../../../../fakes/fake-electron.ts';
import { openStayingWindows, openWindows, quitSpy } from './desktop-windows-harness.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

it.each([
  ['usual', true, 'hide'],
  ['usual', false, 'quit'],
  ['keep', true, 'hide'],
  ['keep', false, 'minimize'],
  ['quit', true, 'quit'],
  ['quit', false, 'quit'],
] as const)('the setting %s, with a tray: %s, makes closing %s', (setting, hasTray, action) => {
  expect(chooseClosingAction(setting, hasTray)).toBe(action);
});

describe('closing the main window', () => {
  it('closes and creates no mini window without a talk', () => {
    const { main, mini } = openWindows();
    main.close();
    expect(main.isDestroyed()).toBe(true);
    expect(mini()).toBeUndefined();
  });

  it('hides it during a talk, once the mini window is shown', () => {
    const { main, mini, posted, windows, registered } = openWindows({ talking: true });
    main.close();
    expect(main.isDestroyed()).toBe(false);
    expect(mini()?.loadURL).toHaveBeenCalledWith('https://parley.localhost/?window=mini');
    expect(registered).toEqual([main, mini()]);
    expect(main.hide).not.toHaveBeenCalled();
    mini()?.emit('ready-to-show');
    expect(mini()?.show).toHaveBeenCalled();
    expect(main.hide).toHaveBeenCalledOnce();
    expect(posted.at(-1)).toEqual({ main: false, mini: true });
    expect(windows.shown()).toEqual({ main: false, mini: true });
  });

  it('creates no second mini window', () => {
    const { main, mini, windows } = openWindows();
    windows.showMini();
    mini()?.emit('ready-to-show');
    main.close();
    expect(main.hide).toHaveBeenCalledOnce();
    expect(BrowserWindow.all.size).toBe(2);
  });

  it('closes it at once while Parley quits, even during a talk', () => {
    const { main } = openWindows({ talking: true });
    app.emit('before-quit');
    main.close();
    expect(main.isDestroyed()).toBe(true);
  });
});

describe('closing the main window before the closing action is set', () => {
  it.each([
    ['quit', { destroyed: true, minimized: false, stayedOpen: [] }],
    ['minimize', { destroyed: false, minimized: true, stayedOpen: ['minimize'] }],
  ] as const)('waits for the action: %s', (action, after) => {
    const { main, windows } = openWindows({ decided: false });
    const stayedOpen: string[] = [];
    main.close();
    expect(main.isDestroyed()).toBe(false);
    windows.setClosing({ action: () => action, onStayOpen: (how) => stayedOpen.push(how) });
    expect({ destroyed: main.isDestroyed(), minimized: main.isMinimized(), stayedOpen }).toEqual(
      after,
    );
  });

  it('quits at the second attempt, so that a hanging start can be closed', () => {
    const { main } = openWindows({ decided: false });
    main.close();
    main.close();
    expect(main.isDestroyed()).toBe(true);
  });

  it('is cancelled if the window is shown again meanwhile', () => {
    const { main, windows } = openWindows({ decided: false });
    main.close();
    windows.showMain();
    windows.setClosing({ action: () => 'quit', onStayOpen: () => undefined });
    expect(main.isDestroyed()).toBe(false);
  });
});

describe('closing the mini window', () => {
  it('quits if it replaced the main window, so that no microphone stays open unseen', () => {
    const { main, mini, windows } = openWindows({ talking: true });
    main.close();
    mini()?.emit('ready-to-show');
    windows.closeMini();
    expect(quitSpy()).toHaveBeenCalledOnce();
  });

  it('leaves the main window open', () => {
    const { mini, windows, posted } = openWindows({ talking: true });
    windows.showMini();
    mini()?.emit('ready-to-show');
    windows.closeMini();
    expect(mini()).toBeUndefined();
    expect(posted.at(-1)).toEqual({ main: true, mini: false });
    expect(quitSpy()).not.toHaveBeenCalled();
  });
});

describe('closing that keeps Parley running', () => {
  it('hides the main window until it is shown again', () => {
    const { windows, main, posted, stayedOpen } = openStayingWindows('hide');
    main.close();
    expect(main.isDestroyed()).toBe(false);
    expect(main.isVisible()).toBe(false);
    expect(stayedOpen).toEqual(['hide']);
    expect(posted.at(-1)).toEqual({ main: false, mini: false, staysRunning: true });
    windows.showMain();
    expect(main.isVisible()).toBe(true);
    expect(posted.at(-1)).toEqual({ main: true, mini: false, staysRunning: true });
    expect(quitSpy()).not.toHaveBeenCalled();
  });

  it('minimises the window without a tray', () => {
    const { main, stayedOpen } = openStayingWindows('minimize');
    main.close();
    expect(main.isMinimized()).toBe(true);
    expect(main.isVisible()).toBe(true);
    expect(stayedOpen).toEqual(['minimize']);
  });

  it('shows the mini window during a talk, and does not quit when that is closed, too', () => {
    const { windows, main, mini, stayedOpen } = openStayingWindows('hide', true);
    main.close();
    mini()?.emit('ready-to-show');
    expect(stayedOpen).toEqual([]);
    windows.closeMini();
    expect(quitSpy()).not.toHaveBeenCalled();
    expect(main.isVisible()).toBe(false);
    expect(stayedOpen).toEqual(['hide']);
  });

  it('toggles the window from the tray', () => {
    const { windows, main, stayedOpen } = openStayingWindows('hide');
    windows.toggleMain();
    expect(main.isVisible()).toBe(false);
    windows.toggleMain();
    expect(main.isVisible()).toBe(true);
    main.minimize();
    windows.toggleMain();
    expect(main.isMinimized()).toBe(false);
    expect(stayedOpen).toEqual([]);
  });

  it('minimises a hidden window when the tray disappears', () => {
    const { windows, main } = openStayingWindows('hide');
    main.close();
    windows.onTrayGone();
    expect(main.isVisible()).toBe(true);
    expect(main.isMinimized()).toBe(true);
  });

  it.each([
    [true, false, []],
    [false, true, ['minimize']],
  ])(
    'minimises the window of a hidden start only without a tray (%s)',
    (hasTray, isShown, stays) => {
      const { windows, main, stayedOpen } = openStayingWindows('hide');
      main.hide();
      windows.startHidden(hasTray);
      expect(main.isVisible()).toBe(isShown);
      expect(main.isMinimized()).toBe(isShown);
      expect(stayedOpen).toEqual(stays);
    },
  );

  it('leaves a window open that the user has opened during a hidden start', () => {
    const { windows, main } = openStayingWindows('hide');
    windows.startHidden(true);
    expect(main.isVisible()).toBe(true);
  });
});

it('a hidden window outside all displays is moved onto one when it is shown', () => {
  const { windows, main } = openStayingWindows('hide');
  main.close();
  main.bounds = { x: -5000, y: 0, width: 4000, height: 3000 };
  windows.showMain();
  expect(main.bounds).toEqual({ x: 0, y: 0, width: 1280, height: 800 });
});
