import type { RedactedSettings } from '../../../shared/settings/redacted-settings.ts';
import { useUiState } from '../../store/use-app-context.ts';
import type { SettingId } from './setting-text.ts';

/** One group of the settings; the screen shows no section before they have come. */
export function useSettingsGroup<Name extends keyof RedactedSettings>(
  name: Name,
): RedactedSettings[Name] {
  const group = useUiState(({ settings }) => settings?.[name]);
  if (group === undefined) throw new Error('A section stands there before the settings have come.');
  return group;
}

/** What stands in a field: what was typed and is on its way, or else what is set. */
export function useTypedValue<Value>(id: SettingId, set: Value): Value {
  const typed = useUiState(({ settingsUi }) => settingsUi.fields[id]?.typed);
  return typed === undefined ? set : (typed as Value);
}
