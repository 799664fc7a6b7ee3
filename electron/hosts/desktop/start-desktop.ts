import { once } from 'node:events';
import { resolve } from 'node:path';
import { app, type BrowserWindow, nativeTheme } from 'electron';
import {
  createFirstState,
  type RecoveryNote,
  withRecoveryNote,
} from '../../../shared/app/program.ts';
import { describeError, errorCode } from '../../../shared/sanitize-text.ts';
import type { StateFile } from '../../../shared/ports/files.ts';
import type { CountingLog } from '../../../shared/ports/log.ts';
import { redactSettings } from '../../../shared/settings/redacted-settings.ts';
import { composeStartup } from '../../app/desktop-session.ts';
import { urlOrigin } from '../../app/ipc/url-origin.ts';
import { openIpc } from '../../app/ipc/window-ipc.ts';
import { processOutput } from '../../app/process-output.ts';
import { builtFile } from '../build-info.ts';
import { PageFiles } from '../page-files.ts';
import type { BegunStart } from './begin-start.ts';
import { DesktopApp } from './desktop-app.ts';
import { shareScreens } from './desktop-capture.ts';
import type { DesktopCore } from './desktop-core.ts';
import { hideDefaultMenu } from './integration/app-menu.ts';
import {
  blockPageNetwork,
  closeDebuggingPorts,
  denyByDefault,
  pageOrigin,
  registerPageProtocol,
} from './page-isolation.ts';
import { readStartArguments, wasRestarted } from './start-arguments.ts';
import { showBrokenPage } from './system-dialogs.ts';

/** Opens the desktop app. Calls `startKillTimer` when it quits, which kills the process from outside if it hangs. */
export function openDesktop(
  log: CountingLog,
  begun: BegunStart,
  startKillTimer: () => void,
): DesktopApp {
  closeDebuggingPorts();
  const desktop = new DesktopApp(log, begun, startKillTimer);
  startDesktop(desktop).catch((error: unknown) =>
    desktop.fail(`Parley could not open its window: ${describeError(error)}`),
  );
  return desktop;
}

/** Opens the window first, then the core, then the desktop integration. */
async function startDesktop(desktop: DesktopApp): Promise<void> {
  const { windows, links, files, log, safe } = desktop;
  // Debuggers remove arguments from `process.argv`.
  const hidden = app.commandLine.hasSwitch('hidden');
  const mini = app.commandLine.hasSwitch('mini');
  hideDefaultMenu();
  // Set by `npm run dev` only, for hot reload.
  const devPage = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'];
  const page = devPage ?? `${pageOrigin}/`;
  const origin = urlOrigin(page) ?? pageOrigin;
  const { places, firstSettings } = composeStartup();
  /** The core, once it is loaded. */
  let served: DesktopCore | undefined;
  const firstState = () =>
    createFirstState(
      served === undefined ? firstSettings() : redactSettings(served.settings.get()),
      windows.shown(),
    );
  const reading =
    devPage === undefined ? PageFiles.in(builtFile('../renderer'), firstState) : undefined;
  const [pageFiles] = await Promise.all([reading, app.whenReady()]);
  if (pageFiles !== undefined) registerPageProtocol(pageFiles);
  // Must finish before a page loads; the window is created meanwhile.
  const closedOff = devPage === undefined ? blockPageNetwork() : undefined;
  denyByDefault(origin, () => served?.framePipeline.permission ?? { open: 'nothing' });

  const ipc = openIpc(() => desktop.core(shown), origin);
  const window = windows.begin({
    preload: builtFile('../preload/preload.cjs'),
    page,
    file: safe ? withoutStorage(places) : places,
    register: ipc.register,
    resetPage: ipc.resetPage,
    log,
    reportBrokenPage: (again) => {
      pauseAndShowBrokenPage(desktop.core(shown), again).catch((error: unknown) =>
        log.write(
          'error',
          `the dialog about the failed window could not be shown: ${describeError(error)}`,
        ),
      );
    },
  });
  await closedOff;
  const shown = showPage(window, withRecoveryNote(page, chooseRecoveryNote(safe)), hidden);
  app.on('second-instance', (_event, argv, folder) => {
    const second = readStartArguments(argv);
    // Its paths are relative to its working directory.
    if (second.tape !== undefined) files.open(resolve(folder, second.tape));
    if (second.link !== undefined) links.open(second.link);
    if (second.mini) windows.showMini();
    else if (!second.hidden) windows.showMain();
  });
  // macOS: a click on the dock icon.
  app.on('activate', windows.showMain);
  const serve = async (): Promise<void> => {
    const parley = await desktop.core(shown);
    served = parley;
    followTheme(parley);
    shareScreens(parley.framePipeline, origin);
    ipc.serve(parley);
    windows.serve(parley);
    parley.begin();
    if (safe) {
      windows.setClosing({ action: () => 'quit', onKept: () => undefined });
      return;
    }
    const { openIntegration } = await import('./integration/open-integration.ts');
    await openIntegration(parley, desktop, hidden);
  };
  const [isShown] = await Promise.all([shown, serve()]);
  if (mini) windows.showMini();
  desktop.opened();
  if (isShown) processOutput.out('Parley is open.\n');
}

/** Pauses the talk, because the user could not see that the microphone is open. */
async function pauseAndShowBrokenPage(
  core: Promise<DesktopCore>,
  again: () => void,
): Promise<void> {
  const parley = await core;
  if (parley.talk.isActive) await parley.answer('setPaused', { paused: true });
  await showBrokenPage(parley.settings.get().appearance.language, again);
}

function chooseRecoveryNote(safe: boolean): RecoveryNote | undefined {
  if (safe) return 'safeStart';
  return wasRestarted(process.argv) ? 'restarted' : undefined;
}

/** Ignores stored window positions and stores none. */
function withoutStorage(file: StateFile): StateFile {
  const nothing = { ok: true, value: undefined } as const;
  return { ...file, read: () => nothing, write: () => Promise.resolve(nothing) };
}

/** Returns false if the user closed the window while it opened, which is not a failure. */
async function showPage(window: BrowserWindow, page: string, hidden: boolean): Promise<boolean> {
  const leaving = new AbortController();
  window.once('close', () => leaving.abort());
  try {
    const shown = once(window, 'ready-to-show', { signal: leaving.signal });
    await Promise.all([shown, window.loadURL(page).catch(ignoreReplacedLoad)]);
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  }
  if (leaving.signal.aborted) return false;
  if (!hidden) window.show();
  return true;
}

/** Reloading a page that still loads aborts the first load, which is not a failure. */
function ignoreReplacedLoad(error: unknown): void {
  if (errorCode(error) !== 'ERR_ABORTED') throw error;
}

/** Applies the chosen theme to the frame, the menus and the window's background. */
function followTheme({ settings, lifetime }: Pick<DesktopCore, 'settings' | 'lifetime'>): void {
  nativeTheme.themeSource = settings.get().appearance.theme;
  lifetime.add(
    settings.listen((event) => {
      if (event.kind === 'changed') nativeTheme.themeSource = event.settings.appearance.theme;
    }),
  );
}
