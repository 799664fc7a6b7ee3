import { app } from 'electron';
import type { StartPictureProcess } from '../../../shared/ports/pictures.ts';
import type { InstalledPackage } from '../../../shared/updates/update-feed.ts';
import type { StartSoundProbe } from '../../audio/devices/sound-driver.ts';
import { built, version } from '../built.ts';
import { utilityPictureProcess, utilitySoundProbe } from './utility-processes.ts';

interface ElectronStarters {
  readonly startPictureProcess: StartPictureProcess;
  readonly startSoundProbe: StartSoundProbe;
}

/** As shells count: 128 and the signal's number. */
const interrupted = 130;

/**
 * A command in a package, whose program is Electron and no Node: no window, no page, and none of what the window's
 * Parley keeps beside it.
 */
export async function commandInElectron(
  run: (starters: ElectronStarters) => Promise<number>,
): Promise<number> {
  await app.whenReady();
  // Electron's own way to take it would end the process as if all were well.
  process.on('SIGINT', () => {
    if (process.listenerCount('SIGINT') === 1) app.exit(interrupted);
  });
  return run({
    startPictureProcess: utilityPictureProcess(built('picture-process.js')),
    startSoundProbe: utilitySoundProbe(built('probe-sound.js')),
  });
}

/** The package that the command belongs to. */
export function installedPackage(): InstalledPackage | undefined {
  if (!app.isPackaged) return undefined;
  return { version, file: process.execPath, resources: process.resourcesPath };
}
