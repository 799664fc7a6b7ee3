import type { DesktopSession } from '../../shared/ports/desktop.ts';
import { readInitialSettings } from '../../shared/settings/read-settings.ts';
import { createStateFile } from '../platform/files/state-file.ts';
import { stateFolder } from '../platform/files/state-folder.ts';
import { LinuxDesktopSession } from '../platform/system/linux-desktop-session.ts';

/** The user's desktop session: its tray, notifications and screen lock. */
interface OpenDesktopSession extends DesktopSession {
  /** Resolves once the desktop was queried: with the reason if that failed, else with undefined. */
  readonly detected: Promise<string | undefined>;
  readonly end: () => Promise<void>;
}

/** For macOS and Windows: they always show trays. `onLock` does nothing, because Electron's power monitor reports their locks. */
const sessionWithTray: OpenDesktopSession = {
  canNotify: () => true,
  hasTray: () => true,
  onTrayChange: () => () => undefined,
  onLock: () => () => undefined,
  detected: Promise.resolve(undefined),
  end: () => Promise.resolve(),
};

export function composeDesktopSession(
  platform: NodeJS.Platform = process.platform,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): OpenDesktopSession {
  return platform === 'linux' ? new LinuxDesktopSession(environment) : sessionWithTray;
}

/** State that the window and its page need before the core is loaded. */
export function composeStartup() {
  const folder = stateFolder();
  return {
    boundsFile: createStateFile(folder, 'windows'),
    /** Reads the settings from their file, because the settings store comes with the core. */
    firstSettings: () => readInitialSettings(createStateFile(folder, 'settings')),
  };
}
