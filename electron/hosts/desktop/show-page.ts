import { once } from 'node:events';
import type { BrowserWindow } from 'electron';

/** False where somebody closed the window while it was opening, which is their right and no failure. */
export async function showPage(
  window: BrowserWindow,
  page: string,
  hidden: boolean,
): Promise<boolean> {
  const leaving = new AbortController();
  window.once('close', () => {
    leaving.abort();
  });
  try {
    const shown = once(window, 'ready-to-show', { signal: leaving.signal });
    await Promise.all([shown, window.loadURL(page).catch(unlessReplaced)]);
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  }
  if (leaving.signal.aborted) return false;
  if (!hidden) window.show();
  return true;
}

/** Whoever reloads a page that is still loading has another one loaded in its place, which is no failure. */
function unlessReplaced(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED')) throw error;
}
