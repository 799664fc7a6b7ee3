import { join } from 'node:path';
import { app, BrowserWindow, nativeTheme } from 'electron';
import type { BrowserWindowConstructorOptions } from 'electron';
import { resourcesFolder } from '../../core/resources-folder.ts';
import type { WindowPlacement } from './window-bounds.ts';

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
