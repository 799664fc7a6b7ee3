import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { idleTalkView } from '../../../../../shared/talk/talk-view.ts';
import { app, BrowserWindow } from '../../../../fakes/fake-electron.ts';
import { eventually } from '../../../../fakes/eventually.ts';
import { openWindows, quitSpy } from './desktop-windows-stage.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

describe('closing the main window', () => {
  it('closes it without a talk', async () => {
    const { main, mini, lifetime } = openWindows();
    main.close();
    expect(main.isDestroyed()).toBe(true);
    expect(mini()).toBeUndefined();
    await lifetime.end();
  });

  it('replaces it with the mini window during a talk, without a moment without a window', async () => {
    const { main, mini, told, windows, joined, lifetime } = openWindows({ talking: true });
    main.close();
    expect(main.isDestroyed()).toBe(false);
    expect(mini()?.loadURL).toHaveBeenCalledWith('https://parley.localhost/?window=mini');
    expect(joined).toEqual([main, mini()]);
    expect(main.hide).not.toHaveBeenCalled();
    mini()?.emit('ready-to-show');
    expect(mini()?.show).toHaveBeenCalled();
    expect(main.hide).toHaveBeenCalledOnce();
    expect(told.at(-1)).toEqual({ main: false, mini: true });
    expect(windows.shown()).toEqual({ main: false, mini: true });
    await lifetime.end();
  });

  it('keeps an open mini window', async () => {
    const { main, mini, windows, lifetime } = openWindows();
    windows.showMini();
    mini()?.emit('ready-to-show');
    main.close();
    expect(main.hide).toHaveBeenCalledOnce();
    expect(BrowserWindow.all.size).toBe(2);
    await lifetime.end();
  });

  it('does not delay quitting during a talk', async () => {
    const { main, lifetime } = openWindows({ talking: true });
    app.emit('before-quit');
    main.close();
    expect(main.isDestroyed()).toBe(true);
    await lifetime.end();
  });
});

describe('closing the main window before the closing action is set', () => {
  const ways = [
    ['quit', { destroyed: true, minimized: false, kept: [] }],
    ['minimize', { destroyed: false, minimized: true, kept: ['minimize'] }],
  ] as const;
  it.each(ways)('waits for the action: %s', async (way, after) => {
    const { main, windows, lifetime } = openWindows({ decided: false });
    const kept: string[] = [];
    main.close();
    expect(main.isDestroyed()).toBe(false);
    windows.setClosing({ action: () => way, onStayOpen: (as) => kept.push(as) });
    expect({ destroyed: main.isDestroyed(), minimized: main.isMinimized(), kept }).toEqual(after);
    await lifetime.end();
  });

  it('quits at the second time, so that a hanging start can be closed', async () => {
    const { main, lifetime } = openWindows({ decided: false });
    main.close();
    main.close();
    expect(main.isDestroyed()).toBe(true);
    await lifetime.end();
  });

  it('is forgotten if the window is shown again meanwhile', async () => {
    const { main, windows, lifetime } = openWindows({ decided: false });
    main.close();
    windows.showMain();
    windows.setClosing({ action: () => 'quit', onStayOpen: () => undefined });
    expect(main.isDestroyed()).toBe(false);
    await lifetime.end();
  });
});

describe('closing the mini window', () => {
  it('quits if it replaced the main window, so that no microphone stays open unseen', async () => {
    const { main, mini, windows, lifetime } = openWindows({ talking: true });
    main.close();
    mini()?.emit('ready-to-show');
    windows.closeMini();
    expect(quitSpy()).toHaveBeenCalledOnce();
    await lifetime.end();
  });

  it('leaves an open main window', async () => {
    const { mini, windows, told, lifetime } = openWindows({ talking: true });
    windows.showMini();
    mini()?.emit('ready-to-show');
    windows.closeMini();
    expect(mini()).toBeUndefined();
    expect(told.at(-1)).toEqual({ main: true, mini: false });
    expect(quitSpy()).not.toHaveBeenCalled();
    await lifetime.end();
  });
});

describe('showing the main window', () => {
  it('closes the mini window that replaced it, without quitting', async () => {
    const { main, mini, windows, told, lifetime } = openWindows({ talking: true });
    main.close();
    mini()?.emit('ready-to-show');
    windows.showMain();
    expect(main.show).toHaveBeenCalledTimes(2);
    expect(mini()).toBeUndefined();
    expect(told.at(-1)).toEqual({ main: true, mini: false });
    expect(quitSpy()).not.toHaveBeenCalled();
    await lifetime.end();
  });

  it('happens if the mini window does not load', async () => {
    const { main, mini, windows, lifetime } = openWindows({ talking: true });
    main.close();
    mini()?.loading.reject(new Error('ERR_FAILED'));
    await eventually(() => {
      expect(windows.shown()).toEqual({ main: true, mini: false });
    });
    expect(main.show).toHaveBeenCalledTimes(2);
    expect(quitSpy()).not.toHaveBeenCalled();
    await lifetime.end();
  });
});

describe('a crashed page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('is reloaded, with a note', async () => {
    const { main, log, sayBroken, lifetime } = openWindows({ talking: true });
    main.crash();
    expect(main.loadURL).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(300);
    expect(main.loadURL).toHaveBeenCalledWith('https://parley.localhost/?after=pageCrashed');
    expect(log.lines).toEqual([
      'parley error: the page of the main window crashed (killed, 9); its resources are released',
    ]);
    expect(sayBroken).not.toHaveBeenCalled();
    await lifetime.end();
  });

  it('is reloaded three times a minute, and then only on request', async () => {
    const { main, windows, sayBroken, lifetime } = openWindows();
    for (let time = 0; time < 4; time += 1) {
      main.crash();
      await vi.advanceTimersByTimeAsync(300);
    }
    expect(main.loadURL).toHaveBeenCalledTimes(3);
    expect(sayBroken).toHaveBeenCalledOnce();
    windows.showMain();
    expect(main.loadURL).toHaveBeenCalledTimes(4);
    await lifetime.end();
  });

  it('a mini window that crashes repeatedly is replaced by the main window', async () => {
    const { main, mini, windows, lifetime } = openWindows({ talking: true });
    main.close();
    mini()?.emit('ready-to-show');
    for (let time = 0; time < 4; time += 1) {
      mini()?.crash();
      await vi.advanceTimersByTimeAsync(300);
    }
    expect(mini()).toBeUndefined();
    expect(windows.shown()).toEqual({ main: true, mini: false });
    expect(quitSpy()).not.toHaveBeenCalled();
    expect(main.show).toHaveBeenCalledTimes(2);
    await lifetime.end();
  });

  it('a crashed mini window is reloaded on request, without quitting Parley', async () => {
    const { main, mini, windows, lifetime } = openWindows({ talking: true });
    main.close();
    mini()?.emit('ready-to-show');
    const before = mini();
    before?.crash();
    windows.showMini();
    expect(before?.loadURL).toHaveBeenLastCalledWith(
      'https://parley.localhost/?window=mini&after=pageCrashed',
    );
    expect(quitSpy()).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(300);
    expect(mini()).toBe(before);
    expect(before?.loadURL).toHaveBeenCalledTimes(2);
    await lifetime.end();
  });

  it('a page that reloads during a check does not count as hung', async () => {
    const { main, dropped, lifetime } = openWindows({ talking: true });
    main.webContents.executeJavaScript.mockImplementationOnce(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(6000);
    expect(main.webContents.executeJavaScript).toHaveBeenCalledOnce();
    main.webContents.emit('did-finish-load');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(main.webContents.executeJavaScript.mock.calls.length).toBeGreaterThan(2);
    expect(main.webContents.forcefullyCrashRenderer).not.toHaveBeenCalled();
    expect(dropped).toEqual([]);
    await lifetime.end();
  });

  it('a page whose window is hidden during a check does not count as hung', async () => {
    const { main, lifetime } = openWindows();
    main.emit('unresponsive');
    main.hide();
    main.emit('hide');
    await vi.advanceTimersByTimeAsync(20_000);
    main.emit('unresponsive');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(main.webContents.forcefullyCrashRenderer).not.toHaveBeenCalled();
    main.show();
    main.emit('unresponsive');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(main.webContents.forcefullyCrashRenderer).toHaveBeenCalledOnce();
    await lifetime.end();
  });

  it('a page that does not answer loses its talk key, then is reloaded, during a talk only', async () => {
    const { main, dropped, talk, notices, lifetime } = openWindows();
    main.webContents.executeJavaScript.mockImplementation(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(main.webContents.executeJavaScript).not.toHaveBeenCalled();
    // No timer runs without a talk.
    const quiet = vi.getTimerCount();
    talk.isActive = true;
    notices.post('talkState', idleTalkView.state);
    notices.post('talkState', idleTalkView.state);
    expect(vi.getTimerCount()).toBe(quiet + 1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(dropped).toEqual([main]);
    expect(main.webContents.forcefullyCrashRenderer).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_300);
    expect(main.webContents.forcefullyCrashRenderer).toHaveBeenCalledOnce();
    expect(main.loadURL).toHaveBeenCalledWith('https://parley.localhost/?after=pageHung');
    talk.isActive = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(vi.getTimerCount()).toBe(quiet);
    await lifetime.end();
  });
});

it('windows return to their positions', async () => {
  const first = openWindows();
  first.windows.showMini();
  const mini = first.mini();
  if (mini === undefined) throw new Error('The mini window is not open.');
  // In the corner of a screen of 1280 by 800, until the user moves it.
  expect(mini.bounds).toMatchObject({ x: 836, y: 560 });
  mini.bounds = { x: 40, y: 50, width: 500, height: 300 };
  first.main.bounds = { x: 10, y: 20, width: 700, height: 600 };
  first.windows.closeMini();
  first.main.close();
  await first.lifetime.end();
  BrowserWindow.all.clear();

  const second = openWindows();
  expect(second.main.bounds).toEqual({ x: 10, y: 20, width: 700, height: 600 });
  second.windows.showMini();
  expect(second.mini()?.bounds).toEqual({ x: 40, y: 50, width: 500, height: 300 });
  await second.lifetime.end();
});

describe('the small window over other programs', () => {
  function beside() {
    const opened = openWindows({ talking: true });
    opened.main.close();
    const mini = opened.mini();
    mini?.emit('ready-to-show');
    mini?.setBounds({ x: 850, y: 570, width: 420, height: 216 });
    const { cursor } = opened.windows;
    cursor.show('ask', true);
    const small = BrowserWindow.latest;
    if (mini === undefined || small === undefined) throw new Error('A window is missing.');
    return { ...opened, mini, small, cursor };
  }

  it('grows from the mini window, which is shown again after it without the focus', async () => {
    const { mini, small, cursor, lifetime } = beside();
    cursor.pageReady();
    expect(small.isVisible()).toBe(true);
    expect(small.getBounds()).toEqual({ x: 630, y: 366, width: 640, height: 420 });
    expect(mini.isVisible()).toBe(true);
    small.emit('show');
    expect(mini.isVisible()).toBe(false);
    cursor.show('dictate', false);
    expect(small.getBounds()).toEqual({ x: 810, y: 636, width: 460, height: 150 });
    cursor.hide();
    small.emit('hide');
    expect(mini.showInactive).toHaveBeenCalledOnce();
    small.emit('hide');
    expect(mini.showInactive).toHaveBeenCalledOnce();
    await lifetime.end();
  });

  it('is created in advance once, and shown at once on request', async () => {
    const { windows, lifetime } = openWindows();
    const { cursor } = windows;
    cursor.prepare();
    const small = BrowserWindow.latest;
    expect(small?.loadURL).toHaveBeenCalledWith(
      'https://parley.localhost/small.html?window=cursor',
    );
    cursor.pageReady();
    expect(small?.isVisible()).toBe(false);
    cursor.prepare();
    cursor.show('ask', true);
    expect(BrowserWindow.latest).toBe(small);
    expect(small?.isVisible()).toBe(true);
    await lifetime.end();
  });

  it('shows the mini window again if its page crashes', async () => {
    const { mini, small, lifetime } = beside();
    small.emit('show');
    small.destroy();
    expect(mini.showInactive).toHaveBeenCalledOnce();
    await lifetime.end();
  });

  it('leaves a mini window alone that was not visible', async () => {
    const { mini, small, lifetime } = beside();
    mini.hide();
    small.emit('show');
    small.emit('hide');
    expect(mini.showInactive).not.toHaveBeenCalled();
    await lifetime.end();
  });

  it('does not keep the main window open while it replaces the mini window', async () => {
    const { main, mini, windows, lifetime } = openWindows({ talking: true });
    windows.showMini();
    mini()?.emit('ready-to-show');
    windows.cursor.show('ask', true);
    BrowserWindow.latest?.emit('show');
    expect(mini()?.isVisible()).toBe(false);
    main.close();
    expect(main.hide).toHaveBeenCalledOnce();
    expect(mini()?.isVisible()).toBe(true);
    await lifetime.end();
  });
});
