import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { app } from 'electron';
import type { BrowserWindow } from 'electron';
import { composeParley } from '../../compose.ts';
import type { Parley } from '../../compose.ts';
import { describeError } from '../../describe-error.ts';
import { version } from '../../version.ts';
import { denyByDefault, originOf } from './deny-by-default.ts';
import { followTheme } from './follow-theme.ts';
import { joinIpc } from './ipc.ts';
import { pageOrigin, servePages } from './page-origin.ts';
import { systemKeychain } from './safe-storage.ts';
import { createShareables, shareScreens } from './screens.ts';
import { createWindow } from './window.ts';

const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Opens the desktop app, or brings the one that already runs to the front. */
export function openDesktop(): void {
  if (!app.requestSingleInstanceLock()) {
    process.stdout.write('Parley is already running; its window was brought to the front.\n');
    app.exit(0);
    return;
  }
  const parley = composeParley('desktop', version, undefined, {
    shareables: createShareables(),
    keychain: systemKeychain,
  });
  app.on('window-all-closed', () => {
    app.quit();
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    void leave(parley, 0);
  });
  start(parley).catch((error: unknown) => {
    process.stderr.write(`Parley could not open its window: ${describeError(error)}\n`);
    void leave(parley, 1);
  });
}

/** Ends what is open, then the process, also when something will not end cleanly. */
async function leave(parley: Parley, exitCode: number): Promise<void> {
  try {
    await parley.lifetime.end();
  } catch (error) {
    parley.log.write('error', describeError(error));
  }
  app.exit(exitCode);
}

async function start(parley: Parley): Promise<void> {
  await app.whenReady();
  // Set by `npm run dev` only: the page then comes from the dev server with hot reload.
  const devPage = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'];
  const page = devPage ?? `${pageOrigin}/`;
  const origin = originOf(page) ?? pageOrigin;
  if (devPage === undefined) await servePages(built('../renderer'));
  denyByDefault(origin, parley.seeing);
  shareScreens(parley.seeing, origin);

  followTheme(parley);
  const window = createWindow(built('../preload/preload.cjs'));
  joinIpc(parley, window, origin);
  parley.begin();
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  });

  if (await showsPage(window, page)) process.stdout.write('Parley is open.\n');
}

/** False where somebody closed the window while it was opening, which is their right and no failure. */
async function showsPage(window: BrowserWindow, page: string): Promise<boolean> {
  const leaving = new AbortController();
  window.once('close', () => {
    leaving.abort();
  });
  try {
    const shown = once(window, 'ready-to-show', { signal: leaving.signal });
    await Promise.all([shown, window.loadURL(page)]);
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  }
  if (leaving.signal.aborted) return false;
  window.show();
  return true;
}
