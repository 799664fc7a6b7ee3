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
import {
  boundsWithin,
  type WindowBounds,
  type WindowPlacement,
  wholeWithin,
} from './window-bounds.ts';

/** The page's background in the light and the dark theme, shown before the page is drawn. */
const lightBackground = '#faf8f4';
const darkBackground = '#14161a';

/** Size of the main window on its first start. */
export const mainSize = { width: 900, height: 680 } as const;
export const miniSize = { width: 420, height: 216 } as const;

/** Windows that can be moved and closed only with controls of their page, so that all of it must be on a screen. */
const framelessWindows = new WeakSet<BrowserWindow>();

/** Creates the main window. It stays hidden until its page has rendered, so that it does not flash. */
export function createWindow(preload: string, place: WindowPlacement): BrowserWindow {
  return new BrowserWindow({
    ...commonOptions(preload),
    ...place,
    minWidth: 320,
    // With a large scale factor, a small display is less than 420 high.
    minHeight: Math.min(420, screen.getPrimaryDisplay().workArea.height),
    autoHideMenuBar: true,
  });
}

/** Creates the mini window. Its page has controls to drag and close it. */
export function createMiniWindow(preload: string, place: WindowPlacement): BrowserWindow {
  return createFramelessWindow({
    ...commonOptions(preload),
    ...place,
    minWidth: 320,
    minHeight: miniSize.height,
  });
}

/** Creates a small window above all others, on every workspace. */
export function createFramelessWindow(options: BrowserWindowConstructorOptions): BrowserWindow {
  const window = new BrowserWindow({
    ...options,
    frame: false,
    alwaysOnTop: true,
    maximizable: false,
    fullscreenable: false,
  });
  framelessWindows.add(window);
  window.setVisibleOnAllWorkspaces(true);
  return window;
}

export function commonOptions(preload: string): BrowserWindowConstructorOptions {
  return {
    // Until the page sets its own.
    title: 'Parley',
    // Taskbars that do not know Parley's desktop entry show this icon. macOS uses the package's icon.
    icon: join(resourcesFolder('icons'), '256x256.png'),
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? darkBackground : lightBackground,
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

/** The page of the windows over other programs, which loads less than the main window's. */
export function smallPage(page: string, window: 'cursor' | 'region'): string {
  return new URL(`small.html?window=${window}`, page).href;
}

export function workAreas(): readonly WindowBounds[] {
  return screen.getAllDisplays().map(({ workArea }) => workArea);
}

/** Moves windows to an existing display when theirs was unplugged or shrank. */
export function keepOnScreen(lifetime: Lifetime): void {
  // Electron types one overload per event; a plain emitter accepts all names.
  const displays: NodeJS.EventEmitter = screen;
  for (const name of ['display-removed', 'display-metrics-changed']) {
    displays.on(name, moveAllIntoReach);
    lifetime.add(() => {
      displays.off(name, moveAllIntoReach);
    });
  }
}

function moveAllIntoReach(): void {
  for (const window of BrowserWindow.getAllWindows()) moveIntoReach(window);
}

/**
 * Centres a window on the primary display if no display shows enough of it to drag. A frameless window is moved just onto
 * a display if the displays do not show all of it.
 */
export function moveIntoReach(window: BrowserWindow): void {
  const { x, y, width, height } = window.getNormalBounds();
  const bounds = { x, y, width, height };
  const within = framelessWindows.has(window) ? wholeWithin : boundsWithin;
  const reachable = within(bounds, workAreas(), screen.getPrimaryDisplay().workArea);
  if (reachable !== bounds) window.setBounds(reachable);
}
