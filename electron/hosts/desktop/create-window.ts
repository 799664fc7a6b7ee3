import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  nativeTheme,
  screen,
} from 'electron';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { resourcesFolder } from '../../app/resources.ts';
import { boundsWithin, type WindowBounds, type WindowPlacement } from './window-bounds.ts';

const paper = '#faf8f4';
const ink = '#14161a';

/** Of the main window when it opens for the first time. */
export const mainSize = { width: 900, height: 680 } as const;
export const miniSize = { width: 420, height: 216 } as const;

/** The main window, hidden until it has something to show, so that it never flashes. */
export function createWindow(preload: string, place: WindowPlacement): BrowserWindow {
  return new BrowserWindow({
    ...commonOptions(preload),
    ...place,
    minWidth: 320,
    minHeight: 420,
    autoHideMenuBar: true,
  });
}

/** Small, without a frame, and over every other window. Its page has the parts to drag and close it by. */
export function createMiniWindow(preload: string, place: WindowPlacement): BrowserWindow {
  const window = new BrowserWindow({
    ...commonOptions(preload),
    ...place,
    minWidth: 320,
    minHeight: miniSize.height,
    frame: false,
    alwaysOnTop: true,
    maximizable: false,
    fullscreenable: false,
  });
  window.setVisibleOnAllWorkspaces(true);
  return window;
}

function commonOptions(preload: string): BrowserWindowConstructorOptions {
  return {
    title: 'Parley',
    // For taskbars that do not know Parley's desktop entry; macOS goes by the package alone.
    icon: join(resourcesFolder('icons'), '256x256.png'),
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? ink : paper,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  };
}

export function workAreas(): readonly WindowBounds[] {
  return screen.getAllDisplays().map(({ workArea }) => workArea);
}

/** Windows come back to a display that is there, when theirs was unplugged or has become smaller. */
export function keepOnScreen(lifetime: Lifetime): void {
  // Electron types an overload for each name; a plain emitter takes them all.
  const displays: NodeJS.EventEmitter = screen;
  for (const name of ['display-removed', 'display-metrics-changed']) {
    displays.on(name, rescueAll);
    lifetime.add(() => {
      displays.off(name, rescueAll);
    });
  }
}

function rescueAll(): void {
  for (const window of BrowserWindow.getAllWindows()) rescueWindow(window);
}

/** Puts a window where a hand can take it; one that can be taken stays as it is. */
export function rescueWindow(window: BrowserWindow): void {
  const { x, y, width, height } = window.getNormalBounds();
  const now = { x, y, width, height };
  const safe = boundsWithin(now, workAreas(), screen.getPrimaryDisplay().workArea);
  if (safe !== now) window.setBounds(safe);
}
