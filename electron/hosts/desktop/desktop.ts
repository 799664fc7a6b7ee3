import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { app } from 'electron';
import type { BrowserWindow } from 'electron';
import type { Parley } from '../../core/compose-parley.ts';
import { composeDesktopSession } from '../../core/compose-desktop-session.ts';
import { composeStartup } from '../../core/compose-startup.ts';
import { firstStepsOf } from '../../../shared/first-steps.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { version } from '../version.ts';
import { originOf } from '../../ipc/origin-of.ts';
import { denyByDefault } from './deny-by-default.ts';
import { DesktopWindows } from './desktop-windows.ts';
import { followTheme } from './follow-theme.ts';
import { openIpc } from '../../ipc/window-ipc.ts';
import { pageOrigin, registerPageProtocol } from './page-protocol.ts';
import { hideDefaultMenu } from './integration/app-menu.ts';
import { readStartArguments } from './integration/command-line.ts';
import { DeepLinks } from './integration/deep-links.ts';
import { openIntegration } from './integration/open-integration.ts';
import { systemSleepIn } from './power-monitor.ts';
import { systemKeychain } from './safe-storage.ts';
import { createShareables, shareScreens } from './screens.ts';
import { showFailure } from './show-failure.ts';

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
  const windows = new DesktopWindows();
  const session = composeDesktopSession();
  const around: Surroundings = { windows, session, links: new DeepLinks(process.argv) };
  let composed: Promise<Parley> | undefined;
  const core: Core = (shown) => (composed ??= composeCore(around, shown));
  let exitCode = 0;
  /** Ends what is open, also when something will not end cleanly. */
  const close = async (): Promise<void> => {
    const parley = await composed?.catch(() => undefined);
    try {
      await parley?.lifetime.end();
    } catch (error) {
      parley?.log.write('error', describeError(error));
    }
    await session.end();
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
  start(around, core).catch((error: unknown) =>
    fail(`Parley could not open its window: ${describeError(error)}`),
  );
  return fail;
}

/** What the core finds around it in this host. */
type Surroundings = Parameters<typeof openIntegration>[1];

/** The one core, composed when it is first asked for. */
type Core = (shown: Promise<unknown>) => Promise<Parley>;

/**
 * Loaded once the window shows its page, or never will: before that the two would be in each other's
 * way, and whoever waits looks at the window.
 */
async function composeCore(
  { windows, session }: Surroundings,
  shown: Promise<unknown>,
): Promise<Parley> {
  await shown.catch(() => undefined);
  const { composeParley } = await import('../../core/compose-parley.ts').catch((cause: unknown) => {
    const remedy = 'if you changed nothing, delete node_modules and start Parley again.';
    throw new Error(`${describeError(cause)}; ${remedy}`, { cause });
  });
  return composeParley('desktop', version, undefined, {
    shareables: createShareables(),
    keychain: systemKeychain,
    windows,
    systemSleep: systemSleepIn(session),
  });
}

async function start(around: Surroundings, core: Core): Promise<void> {
  const { windows, links } = around;
  // Who starts it under a debugger takes arguments away from `process.argv`.
  const hidden = app.commandLine.hasSwitch('hidden');
  hideDefaultMenu();
  await app.whenReady();
  // Set by `npm run dev` only: the page then comes from the dev server with hot reload.
  const devPage = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'];
  const page = devPage ?? `${pageOrigin}/`;
  const origin = originOf(page) ?? pageOrigin;
  const { places, firstSteps } = composeStartup();
  let steps = firstSteps;
  if (devPage === undefined) await registerPageProtocol(built('../renderer'), () => steps());
  let vision: Pick<Parley['framePipeline'], 'permission'> = { permission: { open: 'nothing' } };
  denyByDefault(origin, () => vision.permission);

  const preload = built('../preload/preload.cjs');
  const ipc = openIpc(() => core(opened), origin);
  const window = windows.begin({ preload, page, file: places, join: ipc.join });
  const opened = showsPage(window, page, hidden);
  app.on('second-instance', (_event, argv) => {
    const second = readStartArguments(argv);
    if (second.link !== undefined) links.open(second.link);
    if (!second.hidden) windows.showMain();
  });
  // On macOS a click on the icon in the dock.
  app.on('activate', windows.showMain);
  const serve = async (): Promise<void> => {
    const parley = await core(opened);
    ({ framePipeline: vision } = parley);
    steps = () => firstStepsOf(parley.settings.get());
    followTheme(parley);
    shareScreens(parley.framePipeline, origin);
    ipc.serve(parley);
    windows.serve(parley);
    parley.begin();
    await openIntegration(parley, around, hidden);
  };
  const [shown] = await Promise.all([opened, serve()]);
  if (shown) process.stdout.write('Parley is open.\n');
}

/** False where somebody closed the window while it was opening, which is their right and no failure. */
async function showsPage(window: BrowserWindow, page: string, hidden: boolean): Promise<boolean> {
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
