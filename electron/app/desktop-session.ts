import type { DesktopSession } from '../../shared/ports/desktop.ts';
import { firstSettingsIn } from '../../shared/settings/read-settings.ts';
import { createStateFile } from '../platform/files/state-file.ts';
import { stateFolder } from '../platform/files/state-folder.ts';
import { LinuxDesktopSession } from '../platform/system/linux-desktop-session.ts';

interface OpenDesktopSession extends DesktopSession {
  /** Settles once it is known what the desktop has; says why nothing can be known. */
  readonly known: Promise<string | undefined>;
  readonly end: () => Promise<void>;
}

/** macOS and Windows always show trays, and Electron tells of their locks. */
const withTray: OpenDesktopSession = {
  notifies: () => true,
  trayShown: () => true,
  onTrayShown: () => () => undefined,
  onLock: () => () => undefined,
  known: Promise.resolve(undefined),
  end: () => Promise.resolve(),
};

/** Composes what the desktop host knows of the desktop around it. */
export function composeDesktopSession(
  platform: NodeJS.Platform = process.platform,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): OpenDesktopSession {
  return platform === 'linux' ? new LinuxDesktopSession(environment) : withTray;
}

/** Composes what a window and its page need before there is a core, which is loaded when they are shown. */
export function composeStartup() {
  const folder = stateFolder();
  return {
    /** Where the windows were. */
    places: createStateFile(folder, 'windows'),
    /** As they stand in their file. */
    firstSettings: () => firstSettingsIn(createStateFile(folder, 'settings')),
  };
}
