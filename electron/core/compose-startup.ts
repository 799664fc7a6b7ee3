import { createStateFile } from '../adapters/files/state-file.ts';
import type { StateFile } from '../ports/files.ts';
import { firstSettingsIn } from '../settings/read-stored-settings.ts';
import type { RedactedSettings } from '../../shared/settings/redacted-settings.ts';
import { stateFolder } from '../adapters/files/state-folder.ts';

/** What a window and its page need before there is a core, which is loaded when they are shown. */
interface StartupServices {
  /** Where the windows were. */
  readonly places: StateFile;
  /** As they stand in their file. */
  readonly firstSettings: () => RedactedSettings;
}

/** Composes what a window and its page need before the core is loaded. */
export function composeStartup(): StartupServices {
  const folder = stateFolder();
  return {
    places: createStateFile(folder, 'windows'),
    firstSettings: () => firstSettingsIn(createStateFile(folder, 'settings')),
  };
}
