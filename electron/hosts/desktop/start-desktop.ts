import { resolve } from 'node:path';
import { app } from 'electron';
import { describeError } from '../../../shared/describe-error.ts';
import { firstStateOf } from '../../../shared/first-state.ts';
import { redactSettings } from '../../../shared/settings/redacted-settings.ts';
import { resolveLanguage } from '../../../shared/i18n/resolve-language.ts';
import { withRecoveryNote } from '../../../shared/recovery-note.ts';
import type { RecoveryNote } from '../../../shared/recovery-note.ts';
import type { Parley } from '../../core/compose-parley.ts';
import { composeStartup } from '../../core/compose-startup.ts';
import { processOutput } from '../../core/process-output.ts';
import { originOf } from '../../ipc/origin-of.ts';
import { openIpc } from '../../ipc/window-ipc.ts';
import type { StateFile } from '../../ports/files.ts';
import { sendNothingAnywhere } from './black-hole.ts';
import { built } from './built.ts';
import { denyByDefault } from './deny-by-default.ts';
import { followTheme } from './follow-theme.ts';
import type { Core, CoreSurroundings } from './load-core.ts';
import { hideDefaultMenu } from './integration/app-menu.ts';
import { readStartArguments } from './integration/command-line.ts';
import type { HandedOver } from './integration/handed-over.ts';
import { PageFiles } from '../page-files.ts';
import { pageOrigin, registerPageProtocol } from './page-protocol.ts';
import { wasRestarted } from './restart-arguments.ts';
import { sayBroken } from './say-broken.ts';
import { shareScreens } from './screens.ts';
import { showPage } from './show-page.ts';

interface Surroundings extends CoreSurroundings {
  readonly links: HandedOver;
  readonly files: HandedOver;
}

/** The window first, then the core, then what shows Parley to the rest of the desktop. */
export async function startDesktop(
  around: Surroundings,
  core: Core,
  opened: () => void,
): Promise<void> {
  const { windows, links, files, log, safe } = around;
  // Who starts it under a debugger takes arguments away from `process.argv`.
  const hidden = app.commandLine.hasSwitch('hidden');
  const mini = app.commandLine.hasSwitch('mini');
  hideDefaultMenu();
  // Set by `npm run dev` only: the page then comes from the dev server with hot reload.
  const devPage = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'];
  const page = devPage ?? `${pageOrigin}/`;
  const origin = originOf(page) ?? pageOrigin;
  const { places, firstSettings } = composeStartup();
  let settingsNow = firstSettings;
  const firstState = () => firstStateOf(settingsNow(), windows.shown());
  const reading =
    devPage === undefined ? PageFiles.in(built('../renderer'), firstState) : undefined;
  const [pageFiles] = await Promise.all([reading, app.whenReady()]);
  if (pageFiles !== undefined) registerPageProtocol(pageFiles);
  // Done before anything is loaded; the window, which takes as long, is made meanwhile.
  const closedOff = devPage === undefined ? sendNothingAnywhere() : undefined;
  let vision: Pick<Parley['framePipeline'], 'permission'> = { permission: { open: 'nothing' } };
  denyByDefault(origin, () => vision.permission);

  const ipc = openIpc(() => core(shown), origin);
  const window = windows.begin({
    preload: built('../preload/preload.cjs'),
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
  await closedOff;
  const shown = showPage(window, withRecoveryNote(page, noteOf(safe)), hidden);
  app.on('second-instance', (_event, argv, folder) => {
    const second = readStartArguments(argv);
    // Its paths are those of where it was started.
    if (second.tape !== undefined) files.open(resolve(folder, second.tape));
    if (second.link !== undefined) links.open(second.link);
    if (second.mini) windows.showMini();
    else if (!second.hidden) windows.showMain();
  });
  // On macOS a click on the icon in the dock.
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
    settingsNow = () => redactSettings(parley.settings.get());
    followTheme(parley);
    shareScreens(parley.framePipeline, origin);
    ipc.serve(parley);
    windows.serve(parley);
    parley.begin();
    if (safe) {
      windows.setClosing({ way: () => 'quit', kept: () => undefined });
      return;
    }
    const { openIntegration } = await import('./integration/open-integration.ts');
    await openIntegration(parley, around, hidden);
  };
  const [isShown] = await Promise.all([shown, serve()]);
  if (mini) windows.showMini();
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
