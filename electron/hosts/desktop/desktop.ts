import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { app } from 'electron';
import type { BrowserWindow } from 'electron';
import { resolveLanguage } from '../../../shared/i18n/resolve-language.ts';
import { withRecoveryNote } from '../../../shared/recovery-note.ts';
import type { RecoveryNote } from '../../../shared/recovery-note.ts';
import type { Parley } from '../../core/compose-parley.ts';
import { composeStartup } from '../../core/compose-startup.ts';
import { processOutput } from '../../core/process-output.ts';
import type { StateFile } from '../../ports/files.ts';
import type { CountingLog } from '../../ports/log.ts';
import { endInTime } from '../end-in-time.ts';
import { firstStepsOf } from '../../../shared/first-steps.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { version } from '../version.ts';
import { originOf } from '../../ipc/origin-of.ts';
import type { BegunStart } from './begin-start.ts';
import { denyByDefault } from './deny-by-default.ts';
import { DesktopWindows } from './desktop-windows.ts';
import { followTheme } from './follow-theme.ts';
import { leaveInTime } from './leave-in-time.ts';
import { openFolder } from './open-folder.ts';
import { openIpc } from '../../ipc/window-ipc.ts';
import { pageOrigin, registerPageProtocol } from './page-protocol.ts';
import { systemSleep } from './power-monitor.ts';
import { systemKeychain } from './safe-storage.ts';
import { createShareables, shareScreens } from './screens.ts';
import { restartArguments, wasRestarted } from './restart-arguments.ts';
import { sayBroken } from './say-broken.ts';
import { showFailure } from './show-failure.ts';
import { openTray } from './tray.ts';

const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

interface Given {
  readonly log: CountingLog;
  readonly begun: BegunStart;
  /** From then on the process ends by itself, whatever holds it up. */
  readonly lastWayOut: () => void;
}

interface OpenedDesktop {
  /** Says a sentence, closes all and ends the process as failed; or starts Parley anew. */
  readonly fail: (sentence: string) => Promise<void>;
  /** A person has a window to use. */
  readonly isOpen: () => boolean;
}

/** Opens the desktop app. */
export function openDesktop({ log, begun, lastWayOut }: Given): OpenedDesktop {
  const windows = new DesktopWindows();
  const { safe, failedBefore } = begun;
  if (safe) log.write('warn', `a careful start, after ${failedBefore} that came to no end`);
  let composed: Promise<Parley> | undefined;
  const core: Core = (shown) => (composed ??= composeCore({ windows, shown, log, safe }));
  let exitCode = 0;
  let open = false;
  /** Ends what is open, also when something will not end cleanly, or not at all. */
  const close = async (): Promise<void> => {
    begun.done();
    const parley = await composed?.catch(() => undefined);
    if (parley !== undefined) await endInTime(parley.lifetime, log);
    log.flush();
  };
  const leave = async (): Promise<void> => {
    await close();
    app.exit(exitCode);
  };
  const fail = async (sentence: string): Promise<void> => {
    exitCode = 1;
    const restart = open ? restartArguments(process.argv, Date.now()) : undefined;
    if (restart === undefined) {
      // Nothing is heard or recorded any more while the sentence is read.
      await Promise.all([showFailure(sentence), close()]);
    } else {
      log.write('error', 'Parley starts itself anew, because of the faults before this line');
      await close();
      app.relaunch({ args: [...restart] });
    }
    app.exit(exitCode);
  };
  app.on('window-all-closed', () => {
    app.quit();
  });
  leaveInTime({ lastWayOut, leave });
  const opened = (): void => {
    open = true;
    begun.done();
  };
  start({ windows, core, log, safe, opened }).catch((error: unknown) =>
    fail(`Parley could not open its window: ${describeError(error)}`),
  );
  return { fail, isOpen: () => open };
}

/** The one core, composed when it is first asked for. */
type Core = (shown: Promise<unknown>) => Promise<Parley>;

interface CoreDeps {
  readonly windows: DesktopWindows;
  readonly shown: Promise<unknown>;
  readonly log: CountingLog;
  readonly safe: boolean;
}

/**
 * Loaded once the window shows its page, or never will: before that the two would be in each other's
 * way, and whoever waits looks at the window.
 */
async function composeCore({ windows, shown, log, safe }: CoreDeps): Promise<Parley> {
  await shown.catch(() => undefined);
  const { composeParley } = await import('../../core/compose-parley.ts').catch((cause: unknown) => {
    const remedy = 'if you changed nothing, delete node_modules and start Parley again.';
    throw new Error(`${describeError(cause)}; ${remedy}`, { cause });
  });
  return composeParley('desktop', version, log, {
    shareables: createShareables(),
    keychain: systemKeychain,
    windows,
    systemSleep,
    openFolder,
    defaultDevices: safe,
  });
}

interface Starting extends Pick<CoreDeps, 'windows' | 'log' | 'safe'> {
  readonly core: Core;
  readonly opened: () => void;
}

async function start({ windows, core, log, safe, opened }: Starting): Promise<void> {
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
  const ipc = openIpc(() => core(shown), origin);
  const window = windows.begin({
    preload,
    page,
    file: safe ? forgetful(places) : places,
    join: ipc.join,
    drop: ipc.drop,
    log,
    sayBroken: (again) => {
      pauseAndSay(again).catch((error: unknown) => {
        log.write('error', `nothing could be said of the broken window: ${describeError(error)}`);
      });
    },
  });
  const shown = showsPage(window, withRecoveryNote(page, noteOf(safe)));
  // A second start, and on macOS a click on the icon in the dock.
  app.on('second-instance', windows.showMain);
  app.on('activate', windows.showMain);
  /** Nobody could see that it is heard. */
  const pauseAndSay = async (again: () => void): Promise<void> => {
    const parley = await core(shown);
    if (parley.talk.active) await parley.answer('setPaused', { paused: true });
    const { language } = parley.settings.get().appearance;
    await sayBroken(resolveLanguage(language, [app.getLocale()]), again);
  };
  const serve = async (): Promise<void> => {
    const parley = await core(shown);
    ({ framePipeline: vision } = parley);
    steps = () => firstStepsOf(parley.settings.get());
    followTheme(parley);
    shareScreens(parley.framePipeline, origin);
    ipc.serve(parley);
    windows.serve(parley);
    if (!safe) openTray(parley, windows);
    parley.begin();
  };
  const [isShown] = await Promise.all([shown, serve()]);
  opened();
  if (isShown) processOutput.out('Parley is open.\n');
}

function noteOf(safe: boolean): RecoveryNote | undefined {
  if (safe) return 'safeStart';
  return wasRestarted(process.argv) ? 'restarted' : undefined;
}

/** Windows open where they do for the first time, and that is not remembered. */
function forgetful(file: StateFile): StateFile {
  const nothing = { ok: true, value: undefined } as const;
  return { ...file, read: () => nothing, write: () => Promise.resolve(nothing) };
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
