import type { ElectronApplication } from '@playwright/test';

type WindowState = 'shown' | 'minimized' | 'hidden';

export const windows = (electron: ElectronApplication): Promise<readonly WindowState[]> =>
  electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => {
      if (window.isMinimized()) return 'minimized';
      return window.isVisible() ? 'shown' : 'hidden';
    }),
  );

/** Closes later, because a process that quits could not answer this call. */
export const closeWindow = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(({ BrowserWindow }) => {
    setTimeout(() => {
      BrowserWindow.getAllWindows()[0]?.close();
    }, 50);
  });
