import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { app } from 'electron';
import type { BrowserWindow } from 'electron';
import type { Parley } from '../../core/compose-parley.ts';
import { composeStartup } from '../../core/compose-startup.ts';
import { firstStepsOf } from '../../../shared/first-steps.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { version } from '../version.ts';
import { originOf } from '../../ipc/origin-of.ts';
import { sendNothingAnywhere } from './black-hole.ts';
import { confirmInBox } from './confirm-in-box.ts';
import { closeDebuggingPorts } from './close-debugging-ports.ts';
import { denyByDefault } from './deny-by-default.ts';
import { DesktopWindows } from './desktop-windows.ts';
import { followTheme } from './follow-theme.ts';
import { openIpc } from '../../ipc/window-ipc.ts';
import { pageOrigin, registerPageProtocol } from './page-protocol.ts';
import { systemSleep } from './power-monitor.ts';
import { systemKeychain } from './safe-storage.ts';
import { createShareables, shareScreens } from './screens.ts';
import { showFailure } from './show-failure.ts';
import { openTray } from './tray.ts';

const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Opens the desktop app, or brings the one that already runs to the front. What is returned says a
 * sentence, closes all and ends the process as failed.
 */
export function openDesktop(): (sentence: string) => Promise<void> {
  if (!app.requestSingleInstanceLock()) {
    process.stdout.write('Parley is already running; its window was brought to the front.\n');
    app.exit(0);
    return () => Promise.resolve();
  }
  closeDebuggingPorts();
  const windows = new DesktopWindows();
  let composed: Promise<Parley> | undefined;
  const core: Core = (shown) => (composed ??= composeCore(windows, shown));
  let exitCode = 0;
  /** Ends what is open, also when something will not end cleanly. */
  const close = async (): Promise<void> => {
    const parley = await composed?.catch(() => undefined);
    try {
      await parley?.lifetime.end();
    } catch (error) {
      parley?.log.write('error', describeError(error));
    }
  };
  const leave = async (): Promise<void> => {
    await close();
    app.exit(exitCode);
  };
  const fail = async (sentence: string): Promise<void> => {
    exitCode = 1;
    // Nothing is heard or recorded any more while the sentence is read.
    await Promise.all([showFailure(sentence), close()]);
    app.exit(exitCode);
  };
  app.on('window-all-closed', () => {
    app.quit();
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    void leave();
  });
  start(windows, core).catch((error: unknown) =>
    fail(`Parley could not open its window: ${describeError(error)}`),
  );
  return fail;
}

/** The one core, composed when it is first asked for. */
type Core = (shown: Promise<unknown>) => Promise<Parley>;

/**
 * Loaded once the window shows its page, or never will: before that the two would be in each other's
 * way, and whoever waits looks at the window.
 */
async function composeCore(windows: DesktopWindows, shown: Promise<unknown>): Promise<Parley> {
  await shown.catch(() => undefined);
  const { composeParley } = await import('../../core/compose-parley.ts').catch((cause: unknown) => {
    const remedy = 'if you changed nothing, delete node_modules and start Parley again.';
    throw new Error(`${describeError(cause)}; ${remedy}`, { cause });
  });
  return composeParley('desktop', version, undefined, {
    shareables: createShareables(),
    keychain: systemKeychain,
    confirm: confirmInBox,
    windows,
    systemSleep,
  });
}

async function start(windows: DesktopWindows, core: Core): Promise<void> {
  // Set by `npm run dev` only: the page then comes from the dev server with hot reload.
  const devPage = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'];
  await app.whenReady();
  const page = devPage ?? `${pageOrigin}/`;
  const origin = originOf(page) ?? pageOrigin;
  const { places, firstSteps } = composeStartup();
  let steps = firstSteps;
  if (devPage === undefined) {
    await Promise.all([
      registerPageProtocol(built('../renderer'), () => steps()),
      sendNothingAnywhere(),
    ]);
  }
  let vision: Pick<Parley['framePipeline'], 'permission'> = { permission: { open: 'nothing' } };
  denyByDefault(origin, () => vision.permission);

  const preload = built('../preload/preload.cjs');
  const ipc = openIpc(() => core(opened), origin);
  const window = windows.begin({ preload, page, file: places, join: ipc.join });
  const opened = showsPage(window, page);
  // A second start, and on macOS a click on the icon in the dock.
  app.on('second-instance', windows.showMain);
  app.on('activate', windows.showMain);
  const serve = async (): Promise<void> => {
    const parley = await core(opened);
    ({ framePipeline: vision } = parley);
    steps = () => firstStepsOf(parley.settings.get());
    followTheme(parley);
    shareScreens(parley.framePipeline, origin);
    ipc.serve(parley);
    windows.serve(parley);
    openTray(parley, windows);
    parley.begin();
  };
  const [shown] = await Promise.all([opened, serve()]);
  if (shown) process.stdout.write('Parley is open.\n');
}

/** False where somebody closed the window while it was opening, which is their right and no failure. */
async function showsPage(window: BrowserWindow, page: string): Promise<boolean> {
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
  window.show();
  return true;
}

/** Whoever reloads a page that is still loading has another one loaded in its place, which is no failure. */
function unlessReplaced(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED')) throw error;
}
