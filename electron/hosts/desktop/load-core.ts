import { app } from 'electron';
import { describeError } from '../../../shared/sanitize-text.ts';
import type { DesktopSession } from '../../../shared/ports/desktop.ts';
import type { CountingLog } from '../../../shared/ports/log.ts';
import { version } from '../build-info.ts';
import { createCursorHost } from './cursor-host.ts';
import { createShareables } from './desktop-capture.ts';
import { type DesktopCore, desktopCore } from './desktop-core.ts';
import type { DesktopWindows } from './desktop-windows.ts';
import { globalKeyBackends } from './global-key-backends.ts';
import { confirmInDialog, openInDialog, saveInDialog } from './system-dialogs.ts';
import { askSystemProxy, openFolder, systemKeychain, systemSleepIn } from './system-services.ts';
import { utilityProcesses } from './utility-child.ts';

interface HostContext {
  readonly windows: DesktopWindows;
  readonly session: DesktopSession;
  readonly log: CountingLog;
  /** A safe start, because normal starts failed. */
  readonly safe: boolean;
  /** Quits and starts the version that is then installed. */
  readonly restart: () => void;
}

export async function loadCore({
  windows,
  session,
  log,
  safe,
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
    cursor: safe ? undefined : createCursorHost(windows),
    defaultDevices: safe,
    processes: utilityProcesses,
    globalKeys: safe ? [] : globalKeyBackends(),
  });
  return desktopCore(parley);
}
