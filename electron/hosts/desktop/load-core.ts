import { app } from 'electron';
import { describeError } from '../../../shared/errors/app-error.ts';
import type { DesktopSession } from '../../../shared/ports/desktop.ts';
import type { CountingLog } from '../../../shared/ports/log.ts';
import { findOtherPrograms } from '../../app/other-programs.ts';
import type { CursorHost } from '../../app/cursor.ts';
import { version } from '../build-info.ts';
import { captureScreen, createShareables } from './desktop-capture.ts';
import { type DesktopCore, desktopCore } from './desktop-core.ts';
import type { DesktopWindows } from './desktop-windows.ts';
import { foreignClipboard } from './foreign-clipboard.ts';
import { globalKeyBackends } from './global-key-backends.ts';
import { confirmInDialog, openInDialog, saveInDialog } from './system-dialogs.ts';
import { askSystemProxy, openFolder, systemKeychain, systemSleepIn } from './system-services.ts';
import { utilityProcesses } from './utility-child.ts';

interface HostContext {
  readonly windows: DesktopWindows;
  readonly session: DesktopSession;
  readonly log: CountingLog;
  readonly isSafe: boolean;
  readonly restart: () => void;
}

export async function loadCore({
  windows,
  session,
  log,
  isSafe,
  restart,
}: HostContext): Promise<DesktopCore> {
  const { openParley } = await import('../../app/parley.ts').catch((cause: unknown) => {
    const remedy = 'if you changed nothing, delete node_modules and start Parley again.';
    throw new Error(`${describeError(cause)}; ${remedy}`, { cause });
  });
  const parley = openParley('desktop', version, log, {
    shareables: createShareables(),
    keychain: systemKeychain,
    askSystemProxy,
    confirm: confirmInDialog,
    windows,
    runningPackage: app.isPackaged
      ? { version, file: process.execPath, resources: process.resourcesPath, restart }
      : undefined,
    systemSleep: systemSleepIn(session),
    openFolder,
    saveMethod: saveInDialog,
    openMethod: openInDialog,
    cursor: isSafe ? undefined : createCursorHost(windows),
    defaultDevices: isSafe,
    processes: utilityProcesses,
    globalKeys: isSafe ? [] : globalKeyBackends(),
  });
  return desktopCore(parley);
}

/** The small window, and the programs over which it opens. */
function createCursorHost({
  cursor,
  region,
}: Pick<DesktopWindows, 'cursor' | 'region'>): CursorHost {
  return {
    window: cursor,
    regionWindow: region,
    programs: findOtherPrograms({ clipboard: foreignClipboard(), hideOwnWindow: cursor.hide }),
    captureScreen,
  };
}
