import type { ElectronApplication } from '@playwright/test';

type WindowState = 'shown' | 'minimized' | 'hidden';

export const windows = (electron: ElectronApplication): Promise<readonly WindowState[]> =>
  electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => {
      if (window.isMinimized()) return 'minimized';
      return window.isVisible() ? 'shown' : 'hidden';
    }),
  );

/** A moment later, because where that quits nobody would be left to answer. */
export const closeWindow = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(({ BrowserWindow }) => {
    setTimeout(() => {
      BrowserWindow.getAllWindows()[0]?.close();
    }, 50);
  });
