import { BrowserWindow, nativeTheme } from 'electron';

const paper = '#faf8f4';
const ink = '#14161a';

/** The main window, hidden until it has something to show, so that it never flashes. */
export function createWindow(preload: string): BrowserWindow {
  return new BrowserWindow({
    title: 'Parley',
    width: 900,
    height: 680,
    minWidth: 320,
    minHeight: 420,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? ink : paper,
    webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegration: false },
  });
}
