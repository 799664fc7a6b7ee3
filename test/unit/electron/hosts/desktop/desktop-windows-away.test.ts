import { describe, expect, it, vi } from 'vitest';
import { openStayingWindows, quitSpy } from './desktop-windows-stage.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

describe('closing that keeps Parley running', () => {
  it('hides the main window and restores it as it was', async () => {
    const { windows, main, told, kept, lifetime } = openStayingWindows('hide');
    main.close();
    expect(main.isDestroyed()).toBe(false);
    expect(main.isVisible()).toBe(false);
    expect(kept).toEqual(['hide']);
    expect(told.at(-1)).toEqual({ main: false, mini: false, staysRunning: true });
    windows.showMain();
    expect(main.isVisible()).toBe(true);
    expect(told.at(-1)).toEqual({ main: true, mini: false, staysRunning: true });
    expect(quitSpy()).not.toHaveBeenCalled();
    await lifetime.end();
  });

  it('minimises the window without a tray', async () => {
    const { main, kept, lifetime } = openStayingWindows('minimize');
    main.close();
    expect(main.isMinimized()).toBe(true);
    expect(main.isVisible()).toBe(true);
    expect(kept).toEqual(['minimize']);
    await lifetime.end();
  });

  it('shows the mini window during a talk, and keeps the talk when that is closed, too', async () => {
    const { windows, main, mini, kept, lifetime } = openStayingWindows('hide', true);
    main.close();
    mini()?.emit('ready-to-show');
    expect(kept).toEqual([]);
    windows.closeMini();
    expect(quitSpy()).not.toHaveBeenCalled();
    expect(main.isVisible()).toBe(false);
    expect(kept).toEqual(['hide']);
    await lifetime.end();
  });

  it('the tray shows and hides the window', async () => {
    const { windows, main, kept, lifetime } = openStayingWindows('hide');
    windows.toggleMain();
    expect(main.isVisible()).toBe(false);
    windows.toggleMain();
    expect(main.isVisible()).toBe(true);
    main.minimize();
    windows.toggleMain();
    expect(main.isMinimized()).toBe(false);
    expect(kept).toEqual([]);
    await lifetime.end();
  });

  it('minimises a hidden window when the tray disappears', async () => {
    const { windows, main, lifetime } = openStayingWindows('hide');
    main.close();
    windows.onTrayGone();
    expect(main.isVisible()).toBe(true);
    expect(main.isMinimized()).toBe(true);
    await lifetime.end();
  });

  it.each([
    [true, false, []],
    [false, true, ['minimize']],
  ])('a hidden start shows the window only without a tray (%s)', async (tray, seen, said) => {
    const { windows, main, kept, lifetime } = openStayingWindows('hide');
    main.hide();
    windows.startHidden(tray);
    expect(main.isVisible()).toBe(seen);
    expect(main.isMinimized()).toBe(seen);
    expect(kept).toEqual(said);
    await lifetime.end();
  });

  it('a hidden start keeps a window that the user has opened meanwhile', async () => {
    const { windows, main, lifetime } = openStayingWindows('hide');
    windows.startHidden(true);
    expect(main.isVisible()).toBe(true);
    await lifetime.end();
  });
});

describe('a removed display', () => {
  it('keeps a window that is shown later reachable', async () => {
    const { windows, main, lifetime } = openStayingWindows('hide');
    main.close();
    main.bounds = { x: -5000, y: 0, width: 4000, height: 3000 };
    windows.showMain();
    expect(main.bounds).toEqual({ x: 0, y: 0, width: 1280, height: 800 });
    await lifetime.end();
  });
});
