import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DesktopWindows } from '../../../../../electron/hosts/desktop/desktop-windows.ts';
import { NoticeBoard } from '../../../../../electron/ipc/notice-board.ts';
import type { StateFile } from '../../../../../electron/ports/files.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import { app, BrowserWindow } from '../../../../fakes/fake-electron.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { eventually } from '../../../../fakes/eventually.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

type Deps = Parameters<DesktopWindows['begin']>[0];

let kept: string | undefined;
const file: StateFile = {
  read: () => ({ ok: true, value: kept }),
  write: (text) => {
    kept = text;
    return Promise.resolve({ ok: true, value: undefined });
  },
  setAside: () => ({ ok: true, value: '' }),
};
let quit: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  kept = undefined;
  quit = vi.spyOn(app, 'quit').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
  app.removeAllListeners();
  BrowserWindow.all.clear();
});

/** The windows over a core of which only whether a talk goes on is of interest. */
function open({ talking = false } = {}) {
  const windows = new DesktopWindows();
  const joined: unknown[] = [];
  const dropped: unknown[] = [];
  const log = new FakeLog();
  const sayBroken = vi.fn<(again: () => void) => void>();
  const deps = {
    preload: 'preload.cjs',
    page: 'https://parley.localhost/',
    file,
    join: (window: unknown) => joined.push(window),
    drop: (window: unknown) => dropped.push(window),
    log,
    sayBroken,
  } as unknown as Deps;
  const main = windows.begin(deps) as unknown as BrowserWindow;
  main.show();
  const notices = new NoticeBoard();
  const told: unknown[] = [];
  notices.listen(({ payload }) => told.push(payload));
  const talk = { active: talking };
  const lifetime = new Lifetime('windows under test');
  windows.serve({ talk, notices, lifetime, log });
  const mini = (): BrowserWindow | undefined => [...BrowserWindow.all].find((one) => one !== main);
  return { windows, main, mini, joined, dropped, log, sayBroken, told, talk, lifetime };
}

/** The same, where closing the last window is not the end. */
function openStaying(way: 'hide' | 'minimize', talking = false) {
  const opened = open({ talking });
  const kept: string[] = [];
  opened.windows.setClosing({ way: () => way, kept: (as) => kept.push(as) });
  return { ...opened, kept };
}

describe('where closing is not the end', () => {
  it('the main window is hidden, and brought back as it was', async () => {
    const { windows, main, told, kept, lifetime } = openStaying('hide');
    main.close();
    expect(main.isDestroyed()).toBe(false);
    expect(main.isVisible()).toBe(false);
    expect(kept).toEqual(['hide']);
    expect(told.at(-1)).toEqual({ main: false, mini: false, stays: true });
    windows.showMain();
    expect(main.isVisible()).toBe(true);
    expect(told.at(-1)).toEqual({ main: true, mini: false, stays: true });
    expect(quit).not.toHaveBeenCalled();
    await lifetime.end();
  });

  it('the window is minimised where there is no tray', async () => {
    const { main, kept, lifetime } = openStaying('minimize');
    main.close();
    expect(main.isMinimized()).toBe(true);
    expect(main.isVisible()).toBe(true);
    expect(kept).toEqual(['minimize']);
    await lifetime.end();
  });

  it('the mini window still stands in for a talk, which goes on when that is closed, too', async () => {
    const { windows, main, mini, kept, lifetime } = openStaying('hide', true);
    main.close();
    mini()?.emit('ready-to-show');
    expect(kept).toEqual([]);
    windows.closeMini();
    expect(quit).not.toHaveBeenCalled();
    expect(main.isVisible()).toBe(false);
    expect(kept).toEqual(['hide']);
    await lifetime.end();
  });

  it('the tray brings the window and takes it away', async () => {
    const { windows, main, kept, lifetime } = openStaying('hide');
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

  it('a window that is hidden when the tray goes is in the list of windows again', async () => {
    const { windows, main, lifetime } = openStaying('hide');
    main.close();
    windows.trayGone();
    expect(main.isVisible()).toBe(true);
    expect(main.isMinimized()).toBe(true);
    await lifetime.end();
  });

  it.each([
    [true, false, []],
    [false, true, ['minimize']],
  ])('a start without a window leaves one only without a tray (%s)', async (tray, seen, said) => {
    const { windows, main, kept, lifetime } = openStaying('hide');
    main.hide();
    windows.startAway(tray);
    expect(main.isVisible()).toBe(seen);
    expect(main.isMinimized()).toBe(seen);
    expect(kept).toEqual(said);
    await lifetime.end();
  });

  it('a start without a window does not take away the one that was asked for meanwhile', async () => {
    const { windows, main, lifetime } = openStaying('hide');
    windows.startAway(true);
    expect(main.isVisible()).toBe(true);
    await lifetime.end();
  });
});

describe('a display that goes', () => {
  it('leaves the one that is shown later in reach, too', async () => {
    const { windows, main, lifetime } = openStaying('hide');
    main.close();
    main.bounds = { x: -5000, y: 0, width: 4000, height: 3000 };
    windows.showMain();
    expect(main.bounds).toEqual({ x: 0, y: 0, width: 1280, height: 800 });
    await lifetime.end();
  });
});

describe('closing the main window', () => {
  it('closes it where no talk goes on', async () => {
    const { main, mini, lifetime } = open();
    main.close();
    expect(main.isDestroyed()).toBe(true);
    expect(mini()).toBeUndefined();
    await lifetime.end();
  });

  it('puts the mini window in its place while a talk goes on, and nothing is unseen meanwhile', async () => {
    const { main, mini, told, windows, joined, lifetime } = open({ talking: true });
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

  it('leaves the mini window that is open already', async () => {
    const { main, mini, windows, lifetime } = open();
    windows.showMini();
    mini()?.emit('ready-to-show');
    main.close();
    expect(main.hide).toHaveBeenCalledOnce();
    expect(BrowserWindow.all.size).toBe(2);
    await lifetime.end();
  });

  it('is not held up when Parley quits in the middle of a talk', async () => {
    const { main, lifetime } = open({ talking: true });
    app.emit('before-quit');
    main.close();
    expect(main.isDestroyed()).toBe(true);
    await lifetime.end();
  });
});

describe('closing the mini window', () => {
  it('quits where it stood in for the main window, so that no microphone stays open unseen', async () => {
    const { main, mini, windows, lifetime } = open({ talking: true });
    main.close();
    mini()?.emit('ready-to-show');
    windows.closeMini();
    expect(quit).toHaveBeenCalledOnce();
    await lifetime.end();
  });

  it('leaves the main window where that is there', async () => {
    const { mini, windows, told, lifetime } = open({ talking: true });
    windows.showMini();
    mini()?.emit('ready-to-show');
    windows.closeMini();
    expect(mini()).toBeUndefined();
    expect(told.at(-1)).toEqual({ main: true, mini: false });
    expect(quit).not.toHaveBeenCalled();
    await lifetime.end();
  });
});

describe('showing the main window', () => {
  it('sends the one away that stood in for it, and quits nothing', async () => {
    const { main, mini, windows, told, lifetime } = open({ talking: true });
    main.close();
    mini()?.emit('ready-to-show');
    windows.showMain();
    expect(main.show).toHaveBeenCalledTimes(2);
    expect(mini()).toBeUndefined();
    expect(told.at(-1)).toEqual({ main: true, mini: false });
    expect(quit).not.toHaveBeenCalled();
    await lifetime.end();
  });

  it('happens by itself where the mini window does not load', async () => {
    const { main, mini, windows, lifetime } = open({ talking: true });
    main.close();
    mini()?.loading.reject(new Error('ERR_FAILED'));
    await eventually(() => {
      expect(windows.shown()).toEqual({ main: true, mini: false });
    });
    expect(main.show).toHaveBeenCalledTimes(2);
    expect(quit).not.toHaveBeenCalled();
    await lifetime.end();
  });
});

describe('a page that dies', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('is loaded anew, and tells it', async () => {
    const { main, log, sayBroken, lifetime } = open({ talking: true });
    main.crash();
    expect(main.loadURL).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(300);
    expect(main.loadURL).toHaveBeenCalledWith('https://parley.localhost/?after=pageCrashed');
    expect(log.lines).toEqual([
      'parley error: the page of the main window died (killed, 9); what it held is released',
    ]);
    expect(sayBroken).not.toHaveBeenCalled();
    await lifetime.end();
  });

  it('is loaded three times a minute, and then only when a person asks', async () => {
    const { main, windows, sayBroken, lifetime } = open();
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

  it('of a mini window that dies too often gives way to the large one', async () => {
    const { main, mini, windows, lifetime } = open({ talking: true });
    main.close();
    mini()?.emit('ready-to-show');
    for (let time = 0; time < 4; time += 1) {
      mini()?.crash();
      await vi.advanceTimersByTimeAsync(300);
    }
    expect(mini()).toBeUndefined();
    expect(windows.shown()).toEqual({ main: true, mini: false });
    expect(quit).not.toHaveBeenCalled();
    expect(main.show).toHaveBeenCalledTimes(2);
    await lifetime.end();
  });

  it('and one that does not answer loses what it holds, then its place; one without a talk is left', async () => {
    const { main, dropped, talk, lifetime } = open({ talking: true });
    main.webContents.executeJavaScript.mockImplementation(() => new Promise(() => undefined));
    talk.active = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(main.webContents.executeJavaScript).not.toHaveBeenCalled();
    talk.active = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(dropped).toEqual([main]);
    expect(main.webContents.forcefullyCrashRenderer).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_300);
    expect(main.webContents.forcefullyCrashRenderer).toHaveBeenCalledOnce();
    expect(main.loadURL).toHaveBeenCalledWith('https://parley.localhost/?after=pageHung');
    await lifetime.end();
  });
});

it('windows come back to where they were', async () => {
  const first = open();
  first.windows.showMini();
  const mini = first.mini();
  if (mini === undefined) throw new Error('There is no mini window.');
  // In the corner of a screen of 1280 by 800, until somebody moves it.
  expect(mini.bounds).toMatchObject({ x: 836, y: 560 });
  mini.bounds = { x: 40, y: 50, width: 500, height: 300 };
  first.main.bounds = { x: 10, y: 20, width: 700, height: 600 };
  first.windows.closeMini();
  first.main.close();
  await first.lifetime.end();
  BrowserWindow.all.clear();

  const second = open();
  expect(second.main.bounds).toEqual({ x: 10, y: 20, width: 700, height: 600 });
  second.windows.showMini();
  expect(second.mini()?.bounds).toEqual({ x: 40, y: 50, width: 500, height: 300 });
  await second.lifetime.end();
});
