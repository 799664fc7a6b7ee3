import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { idleTalkView } from '../../../../../shared/talk/talk-view.ts';
import { BrowserWindow } from '../../../../fakes/fake-electron.ts';
import { eventually } from '../../../../fakes/eventually.ts';
import { openWindows, quitSpy } from './desktop-windows-harness.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

describe('the main window', () => {
  it('closes the mini window that replaced it when it is shown again, without quitting', () => {
    const { main, mini, windows, posted } = openWindows({ talking: true });
    main.close();
    mini()?.emit('ready-to-show');
    windows.showMain();
    expect(main.show).toHaveBeenCalledTimes(2);
    expect(mini()).toBeUndefined();
    expect(posted.at(-1)).toEqual({ main: true, mini: false });
    expect(quitSpy()).not.toHaveBeenCalled();
  });

  it('is shown again if the mini window does not load', async () => {
    const { main, mini, windows } = openWindows({ talking: true });
    main.close();
    mini()?.loading.reject(new Error('ERR_FAILED'));
    await eventually(() => {
      expect(windows.shown()).toEqual({ main: true, mini: false });
    });
    expect(main.show).toHaveBeenCalledTimes(2);
    expect(quitSpy()).not.toHaveBeenCalled();
  });
});

describe('a page that crashes or hangs', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('is reloaded after a crash, which is logged', async () => {
    const { main, log, reportBrokenPage } = openWindows({ talking: true });
    main.crash();
    expect(main.loadURL).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(300);
    expect(main.loadURL).toHaveBeenCalledWith('https://parley.localhost/?after=pageCrashed');
    expect(log.lines).toEqual([
      'parley error: the page of the main window crashed (killed, 9); its resources are released',
    ]);
    expect(reportBrokenPage).not.toHaveBeenCalled();
  });

  it('is reloaded three times a minute, and after that only when the window is shown', async () => {
    const { main, windows, reportBrokenPage } = openWindows();
    for (let time = 0; time < 4; time += 1) {
      main.crash();
      await vi.advanceTimersByTimeAsync(300);
    }
    expect(main.loadURL).toHaveBeenCalledTimes(3);
    expect(reportBrokenPage).toHaveBeenCalledOnce();
    windows.showMain();
    expect(main.loadURL).toHaveBeenCalledTimes(4);
  });

  it('is replaced by the main window if the mini window crashes repeatedly', async () => {
    const { main, mini, windows } = openWindows({ talking: true });
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
  });

  it('is reloaded at once if its mini window is shown, without quitting Parley', async () => {
    const { main, mini, windows } = openWindows({ talking: true });
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
  });

  it('does not count as hung if it reloads during a check', async () => {
    const { main, resetPages } = openWindows({ talking: true });
    main.webContents.executeJavaScript.mockImplementationOnce(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(6000);
    expect(main.webContents.executeJavaScript).toHaveBeenCalledOnce();
    main.webContents.emit('did-finish-load');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(main.webContents.executeJavaScript.mock.calls.length).toBeGreaterThan(2);
    expect(main.webContents.forcefullyCrashRenderer).not.toHaveBeenCalled();
    expect(resetPages).toEqual([]);
  });

  it('does not count as hung if its window is hidden during a check', async () => {
    const { main } = openWindows();
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
  });

  it('is reset and then reloaded if it does not answer, during a talk only', async () => {
    const { main, resetPages, talk, notices } = openWindows();
    main.webContents.executeJavaScript.mockImplementation(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(main.webContents.executeJavaScript).not.toHaveBeenCalled();
    const timersWithoutTalk = vi.getTimerCount();
    talk.isActive = true;
    notices.post('talkState', idleTalkView.state);
    notices.post('talkState', idleTalkView.state);
    expect(vi.getTimerCount()).toBe(timersWithoutTalk + 1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(resetPages).toEqual([main]);
    expect(main.webContents.forcefullyCrashRenderer).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_300);
    expect(main.webContents.forcefullyCrashRenderer).toHaveBeenCalledOnce();
    expect(main.loadURL).toHaveBeenCalledWith('https://parley.localhost/?after=pageHung');
    talk.isActive = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(vi.getTimerCount()).toBe(timersWithoutTalk);
  });
});

it('windows open at the positions of the run before', async () => {
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
});

describe('the small window over other programs', () => {
  function openOverMini() {
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

  it('opens in the corner of the mini window, which is hidden meanwhile', () => {
    const { mini, small, cursor } = openOverMini();
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
  });

  it('is created once, in advance, and shown at once on request', () => {
    const { windows } = openWindows();
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
  });

  it('shows the mini window again if its page crashes', () => {
    const { mini, small } = openOverMini();
    small.emit('show');
    small.destroy();
    expect(mini.showInactive).toHaveBeenCalledOnce();
  });

  it('does not show a mini window that was not visible before', () => {
    const { mini, small } = openOverMini();
    mini.hide();
    small.emit('show');
    small.emit('hide');
    expect(mini.showInactive).not.toHaveBeenCalled();
  });

  it('does not prevent the main window from being hidden', () => {
    const { main, mini, windows } = openWindows({ talking: true });
    windows.showMini();
    mini()?.emit('ready-to-show');
    windows.cursor.show('ask', true);
    BrowserWindow.latest?.emit('show');
    expect(mini()?.isVisible()).toBe(false);
    main.close();
    expect(main.hide).toHaveBeenCalledOnce();
    expect(mini()?.isVisible()).toBe(true);
  });
});
