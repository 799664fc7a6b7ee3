import { defaultSettings } from '../../shared/settings/default-settings.ts';
import { storedSettingsFallback, readSettings } from '../../shared/settings/read-settings.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { redactSettings } from '../../shared/settings/redacted-settings.ts';
import type { RedactedSettings } from '../../shared/settings/redacted-settings.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { SettingsRead } from '../../shared/settings/read-settings.ts';
import type { StateFile } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';

/** The settings of a file as it was found, or that there is none; what is damaged is as in the copy, where there is one. */
export function readStoredSettings(
  found: Outcome<string | undefined>,
  lastGood?: () => Outcome<string | undefined>,
): SettingsRead {
  if (found.ok && found.value === undefined) return { settings: defaultSettings };
  const value = found.ok ? parse(found.value ?? '') : undefined;
  const read = found.ok
    ? readSettings(value)
    : { settings: storedSettingsFallback, error: found.error };
  if (read.error === undefined || read.newer === true) return read;
  const before = settingsOf(lastGood?.());
  if (before === undefined) return read;
  const restored = readSettings(value, undefined, before);
  return found.ok ? restored : { ...restored, error: withCause(restored.error, found.error) };
}

function withCause(error: AppError | undefined, cause: AppError): AppError {
  return error === undefined ? cause : { ...error, cause };
}

/** Nothing where the copy is not there, or as damaged as what it is a copy of. */
function settingsOf(copy: Outcome<string | undefined> | undefined): Settings | undefined {
  if (copy?.ok !== true || copy.value === undefined) return undefined;
  const { settings, error } = readSettings(parse(copy.value));
  return error === undefined ? settings : undefined;
}

/** For a host whose page is there before its core. */
export function firstSettingsIn(file: Pick<StateFile, 'read'>): RedactedSettings {
  return redactSettings(readStoredSettings(file.read()).settings);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
