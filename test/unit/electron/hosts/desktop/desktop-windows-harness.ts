import { afterEach, beforeEach, vi } from 'vitest';
import { NoticeBoard } from '../../../../../electron/app/ipc/request-dispatcher.ts';
import { DesktopWindows } from '../../../../../electron/hosts/desktop/desktop-windows.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import { app, BrowserWindow } from '../../../../fakes/fake-electron.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';

type Deps = Parameters<DesktopWindows['begin']>[0];

/** The file of window positions, which two openings in one test share. */
let file: FakeStateFile;
let lifetime: Lifetime | undefined;
let quit: ReturnType<typeof vi.spyOn>;

/** A spy on Electron's `app.quit`, which ends nothing here. */
export const quitSpy = (): typeof quit => quit;

beforeEach(() => {
  file = new FakeStateFile();
  quit = vi.spyOn(app, 'quit').mockImplementation(() => undefined);
});

afterEach(async () => {
  await lifetime?.end();
  vi.restoreAllMocks();
  app.removeAllListeners();
  BrowserWindow.all.clear();
});

/** Opens the windows with a core that reports whether a talk is active. Closing quits. */
export function openWindows({ talking = false, decided = true } = {}) {
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
export function openStayingWindows(action: 'hide' | 'minimize', talking = false) {
  const opened = openWindows({ talking });
  const stayedOpen: string[] = [];
  opened.windows.setClosing({ action: () => action, onStayOpen: (how) => stayedOpen.push(how) });
  return { ...opened, stayedOpen };
}
