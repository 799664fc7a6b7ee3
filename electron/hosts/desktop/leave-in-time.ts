import { app, BrowserWindow } from 'electron';

/** A page has that long to put away what was typed a moment before. */
const pagesMs = 1500;

interface Leaving {
  /** From the first moment on: ends the process from outside, whatever holds it up. */
  readonly lastWayOut: () => void;
  /** Closes what is open, and leaves. */
  readonly leave: () => Promise<void>;
}

/**
 * Quitting, by whatever way it is asked for (the menu, the last window, SIGTERM): no page that does
 * not answer, and nothing else that hangs, keeps the process.
 */
export function leaveInTime({ lastWayOut, leave }: Leaving): void {
  let pages: NodeJS.Timeout | undefined;
  app.on('before-quit', () => {
    if (pages !== undefined) return;
    lastWayOut();
    pages = setTimeout(() => {
      for (const window of BrowserWindow.getAllWindows()) window.destroy();
    }, pagesMs);
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    clearTimeout(pages);
    void leave();
  });
}
