import { afterEach, beforeEach, vi } from 'vitest';
import { NoticeBoard } from '../../../../../electron/app/ipc/request-dispatcher.ts';
import { DesktopWindows } from '../../../../../electron/hosts/desktop/desktop-windows.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import type { StateFile } from '../../../../../shared/ports/files.ts';
import { app, BrowserWindow } from '../../../../fakes/fake-electron.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';

type Deps = Parameters<DesktopWindows['begin']>[0];

let kept: string | undefined;
const file: StateFile = {
  read: () => ({ ok: true, value: kept }),
  write: (text) => {
    kept = text;
    return Promise.resolve({ ok: true, value: undefined });
  },
  backUp: () => ({ ok: true, value: '' }),
};
let quit: ReturnType<typeof vi.spyOn>;

/** A spy on Electron's `app.quit`, which ends nothing here. */
export const quitSpy = (): typeof quit => quit;

beforeEach(() => {
  kept = undefined;
  quit = vi.spyOn(app, 'quit').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
  app.removeAllListeners();
  BrowserWindow.all.clear();
});

/** Opens the windows with a core that reports whether a talk is active. Closing quits. */
export function openWindows({ talking = false, decided = true } = {}) {
  const windows = new DesktopWindows();
  const joined: unknown[] = [];
  const dropped: unknown[] = [];
  const log = new FakeLog();
  const sayBroken = vi.fn<(again: () => void) => void>();
  const deps = {
    preload: 'preload.cjs',
    page: 'https://parley.localhost/',
    file,
    register: (window: unknown) => joined.push(window),
    resetPage: (window: unknown) => dropped.push(window),
    log,
    reportBrokenPage: sayBroken,
  } as unknown as Deps;
  const main = windows.begin(deps) as unknown as BrowserWindow;
  main.show();
  const notices = new NoticeBoard();
  const told: unknown[] = [];
  notices.listen(({ payload }) => told.push(payload));
  const talk = { isActive: talking };
  const lifetime = new Lifetime('windows under test');
  windows.serve({ talk, notices, lifetime, log });
  if (decided) windows.setClosing({ action: () => 'quit', onStayOpen: () => undefined });
  const mini = (): BrowserWindow | undefined => [...BrowserWindow.all].find((one) => one !== main);
  return { windows, main, mini, joined, dropped, log, sayBroken, told, talk, notices, lifetime };
}

/** Like `openWindows`, but Parley stays open without windows. */
export function openStayingWindows(way: 'hide' | 'minimize', talking = false) {
  const opened = openWindows({ talking });
  const kept: string[] = [];
  opened.windows.setClosing({ action: () => way, onStayOpen: (as) => kept.push(as) });
  return { ...opened, kept };
}
