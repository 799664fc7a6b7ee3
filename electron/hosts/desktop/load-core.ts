import { app } from 'electron';
import { describeError } from '../../../shared/describe-error.ts';
import type { Parley } from '../../core/compose-parley.ts';
import type { composeDesktopSession } from '../../core/compose-desktop-session.ts';
import type { CountingLog } from '../../ports/log.ts';
import { version } from '../version.ts';
import { built } from './built.ts';
import { confirmInBox } from './confirm-in-box.ts';
import type { DesktopWindows } from './desktop-windows.ts';
import { globalKeyBackends } from './global-key-backends.ts';
import { openFolder } from './open-folder.ts';
import { systemSleepIn } from './power-monitor.ts';
import { askSystemProxy } from './system-proxy.ts';
import { systemKeychain } from './safe-storage.ts';
import { saveInDialog } from './save-in-dialog.ts';
import { createShareables } from './screens.ts';
import { utilityPictureProcess } from './utility-picture-process.ts';
import { utilitySoundProbe } from './utility-sound-probe.ts';

/** What the core finds around it in this host. */
export interface CoreSurroundings {
  readonly windows: DesktopWindows;
  readonly session: ReturnType<typeof composeDesktopSession>;
  readonly log: CountingLog;
  /** Parley could not be started with everything as it is set. */
  readonly safe: boolean;
  /** Quits, and starts what then stands in Parley's place. */
  readonly restart: () => void;
}

/** The one core, composed when it is first asked for. */
export type Core = (shown: Promise<unknown>) => Promise<Parley>;

export async function loadCore({
  windows,
  session,
  log,
  safe,
  restart,
}: CoreSurroundings): Promise<Parley> {
  const { composeParley } = await import('../../core/compose-parley.ts').catch((cause: unknown) => {
    const remedy = 'if you changed nothing, delete node_modules and start Parley again.';
    throw new Error(`${describeError(cause)}; ${remedy}`, { cause });
  });
  return composeParley('desktop', version, log, {
    shareables: createShareables(),
    keychain: systemKeychain,
    askSystemProxy,
    confirm: confirmInBox,
    windows,
    runningPackage: app.isPackaged
      ? { version, file: process.execPath, resources: process.resourcesPath, restart }
      : undefined,
    systemSleep: systemSleepIn(session),
    openFolder,
    saveWay: saveInDialog,
    defaultDevices: safe,
    startPictureProcess: utilityPictureProcess(built('picture-process.js')),
    startSoundProbe: utilitySoundProbe(built('probe-sound.js')),
    globalKeys: safe ? [] : globalKeyBackends(),
  });
}
