import type { RunningPackage } from './compose-updates.ts';
import type { AppWindows } from '../ports/app-windows.ts';
import type { Confirmation } from '../ports/confirmation.ts';
import type { GlobalKeyBackend } from '../ports/global-keys.ts';
import type { OpenFolder } from '../ports/open-folder.ts';
import type { StartPictureProcess } from '../ports/picture-process.ts';
import type { Shareables } from '../ports/pictures.ts';
import type { AskSystemProxy } from '../ports/proxies.ts';
import type { SaveWay } from '../ports/saving.ts';
import type { Keychain } from '../ports/secrets.ts';
import type { StartSoundProbe } from '../ports/sound-probe.ts';
import type { SystemSleep } from '../ports/system-sleep.ts';

/** What only some hosts have. */
export interface HostParts {
  /** Screens and windows to pick from; a browser asks the person itself. */
  readonly shareables?: Shareables | undefined;
  /** The system's, where tokens are stored. */
  readonly keychain?: Keychain | undefined;
  /** Where the system can be asked for the proxy of an address. */
  readonly askSystemProxy?: AskSystemProxy | undefined;
  /** A browser host has its page alone, and the person who opened it by its token. */
  readonly confirm?: Confirmation | undefined;
  readonly windows?: AppWindows | undefined;
  /** Where Parley runs from a package, and may become another version. */
  readonly runningPackage?: RunningPackage | undefined;
  readonly systemSleep?: SystemSleep | undefined;
  readonly openFolder?: OpenFolder | undefined;
  /** None in a terminal, which is told a path. */
  readonly saveWay?: SaveWay | undefined;
  /** Devices that were chosen are left alone: Parley could not be started with everything as it is set. */
  readonly defaultDevices?: boolean | undefined;
  /** Where pictures are decoded outside this process. */
  readonly startPictureProcess?: StartPictureProcess | undefined;
  /** What asks for the sound devices before this process does. */
  readonly startSoundProbe?: StartSoundProbe | undefined;
  /** Ways to hear a key while another program has the keyboard. */
  readonly globalKeys?: readonly GlobalKeyBackend[] | undefined;
}
