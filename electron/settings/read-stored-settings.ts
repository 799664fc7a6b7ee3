import { firstStepsOf } from '../../shared/first-steps.ts';
import type { FirstSteps } from '../../shared/first-steps.ts';
import { defaultSettings } from '../../shared/settings/default-settings.ts';
import { storedSettingsFallback, readSettings } from '../../shared/settings/read-settings.ts';
import type { SettingsRead } from '../../shared/settings/read-settings.ts';
import type { StateFile } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';

/** The settings of a file as it was found, or that there is none. */
export function readStoredSettings(found: Outcome<string | undefined>): SettingsRead {
  if (!found.ok) {
    return { settings: storedSettingsFallback, error: found.error };
  }
  if (found.value === undefined) return { settings: defaultSettings };
  return readSettings(parse(found.value));
}

/** For a host whose page is there before its core. */
export function firstStepsIn(file: Pick<StateFile, 'read'>): FirstSteps {
  return firstStepsOf(readStoredSettings(file.read()).settings);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
