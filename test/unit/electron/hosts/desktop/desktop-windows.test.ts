import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NoticeBoard } from '../../../../../electron/app/ipc/request-dispatcher.ts';
import {
  chooseClosingAction,
  DesktopWindows,
} from '../../../../../electron/hosts/desktop/desktop-windows.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import { app, BrowserWindow } from '../../../../fakes/fake-electron.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import { idleTalkView } from '../../../../../shared/talk/talk-view.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

type Deps = Parameters<DesktopWindows['begin']>[0];

/** The file of window positions, which two openings in one test share. */
let file: FakeStateFile;
let lifetime: Lifetime | undefined;
let quit: ReturnType<typeof vi.spyOn>;

/** A spy on Electron's `app.quit`, which ends nothing here. */
const quitSpy = (): typeof quit => quit;

beforeEach(() => {
  file = new FakeStateFile();
  quit = vi.spyOn(app, 'quit').mockImplementation(() => undefined);
});

afterEach(async () => {
  await lifetime?.end();
  app.removeAllListeners();
  BrowserWindow.all.clear();
});

/** Opens the windows with a core that reports whether a talk is active. Closing quits. */
function openWindows({ talking = false, decided = true } = {}) {
  const windows = new DesktopWindows();
  const registered: unknown[] = [];
  const resetPages: unknown[] = [];
  const log = new FakeLog();
  const reportBrokenPage = vi.fn<(again: () => void) => void>();
  const deps = {
    preload: 'preload.cjs',
    page: 'https://parley.localhost/',
    file,
    register: (window: unknown) => registered.push(window),
    resetPage: (window: unknown) => resetPages.push(window),
    log,
    reportBrokenPage,
  } as unknown as Deps;
  const main = windows.begin(deps) as unknown as BrowserWindow;
  main.show();
  const notices = new NoticeBoard();
  const posted: unknown[] = [];
  notices.listen(({ payload }) => posted.push(payload));
  const talk = { isActive: talking };
  lifetime = new Lifetime('windows under test');
  windows.serve({ talk, notices, lifetime, log });
  if (decided) windows.setClosing({ action: () => 'quit', onStayOpen: () => undefined });
  const mini = (): BrowserWindow | undefined =>
    [...BrowserWindow.all].find((window) => window !== main);
  return {
    windows,
    main,
    mini,
    registered,
    resetPages,
    log,
    reportBrokenPage,
    posted,
    talk,
    notices,
    lifetime,
  };
}

/** Like `openWindows`, but Parley stays open without windows. */
function openStayingWindows(action: 'hide' | 'minimize', talking = false) {
  const opened = openWindows({ talking });
  const stayedOpen: string[] = [];
  opened.windows.setClosing({ action: () => action, onStayOpen: (how) => stayedOpen.push(how) });
  return { ...opened, stayedOpen };
}

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
    await expect.poll(() => windows.shown()).toEqual({ main: true, mini: false });
    expect(main.show).toHaveBeenCalledTimes(2);
    expect(quitSpy()).not.toHaveBeenCalled();
  });
});

describe('a page that crashes or hangs', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('is reloaded three times a minute, and then only when the window is shown', async () => {
    const { main, windows, reportBrokenPage, log } = openWindows({ talking: true });
    for (let time = 0; time < 4; time += 1) {
      main.crash();
      await vi.advanceTimersByTimeAsync(300);
    }
    expect(log.lines[0]).toBe(
      'parley error: the page of the main window crashed (killed, 9); its resources are released',
    );
    expect(main.loadURL.mock.calls).toEqual(
      Array.from({ length: 3 }, () => ['https://parley.localhost/?after=pageCrashed']),
    );
    expect(reportBrokenPage).toHaveBeenCalledOnce();
    windows.showMain();
    expect(main.loadURL).toHaveBeenCalledTimes(4);
  });

  it('is reset, and then killed and reloaded, if it does not answer, but only during a talk', async () => {
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

  it('is not checked after its window is destroyed, while a talk still ends', () => {
    const { main } = openWindows({ talking: true });
    main.destroy();
    expect(() => vi.advanceTimersByTime(6000)).not.toThrow();
    expect(vi.getTimerCount()).toBeGreaterThan(0);
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

it('the mini window is moved back onto the screen when it is shown again', () => {
  const { windows, mini } = openWindows();
  windows.showMini();
  mini()?.setBounds({ x: 1172, y: 560, width: 420, height: 216 });
  windows.showMini();
  expect(mini()?.bounds).toEqual({ x: 860, y: 560, width: 420, height: 216 });
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

  it('reports that the user closed it, and can be shown again', () => {
    const { small, cursor } = openOverMini();
    const onClosed = vi.fn(() => cursor.hide());
    cursor.onClosed(onClosed);
    cursor.pageReady();
    small.close();
    expect(onClosed).toHaveBeenCalledOnce();
    expect([small.isVisible(), small.isDestroyed()]).toEqual([false, false]);
    cursor.show('dictate', false);
    expect(small.isVisible()).toBe(true);
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
    expect(BrowserWindow.all.size).toBe(3);
    expect(mini()?.isVisible()).toBe(true);
  });
});

it.each([
  ['usual', true, 'hide'],
  ['usual', false, 'quit'],
  ['keep', true, 'hide'],
  ['keep', false, 'minimize'],
  ['quit', true, 'quit'],
  ['quit', false, 'quit'],
] as const)(
  'with the setting %s, and a tray: %s, closing means: %s',
  (setting, hasTray, action) => {
    expect(chooseClosingAction(setting, hasTray)).toBe(action);
  },
);

describe('closing the main window', () => {
  it('hides it during a talk, after the mini window is shown', () => {
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

  it('quits at the second attempt, so that the user can close a hanging start', () => {
    const { main } = openWindows({ decided: false });
    main.close();
    main.close();
    expect(main.isDestroyed()).toBe(true);
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
});

describe('closing that keeps Parley running', () => {
  it('hides the main window until the user shows it, also from the tray', () => {
    const { windows, main, posted, stayedOpen } = openStayingWindows('hide');
    main.close();
    expect(main.isVisible()).toBe(false);
    expect(stayedOpen).toEqual(['hide']);
    expect(posted.at(-1)).toEqual({ main: false, mini: false, staysRunning: true });
    windows.showMain();
    expect(main.isVisible()).toBe(true);
    expect(posted.at(-1)).toEqual({ main: true, mini: false, staysRunning: true });
    windows.toggleMain();
    expect(main.isVisible()).toBe(false);
    main.minimize();
    windows.toggleMain();
    expect([main.isVisible(), main.isMinimized()]).toEqual([true, false]);
    expect(quitSpy()).not.toHaveBeenCalled();
  });

  it('does not quit when the mini window of a talk is closed, too', () => {
    const { windows, main, mini, stayedOpen } = openStayingWindows('hide', true);
    main.close();
    mini()?.emit('ready-to-show');
    windows.closeMini();
    expect(quitSpy()).not.toHaveBeenCalled();
    expect(stayedOpen).toEqual(['hide']);
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
});

it('a hidden window outside all displays is moved onto a display when it is shown', () => {
  const { windows, main } = openStayingWindows('hide');
  main.close();
  main.bounds = { x: -5000, y: 0, width: 4000, height: 3000 };
  windows.showMain();
  expect(main.bounds).toEqual({ x: 0, y: 0, width: 1280, height: 800 });
});
