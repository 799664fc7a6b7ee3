import type { UiState } from '../../renderer/app/ui-state.ts';
import {
  initialSettingsUiState,
  type SettingsSection,
  type SettingsUiState,
} from '../../renderer/settings/settings-ui-state.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import type { RedactedSettings } from '../../shared/settings/redacted-settings.ts';
import type { GalleryState } from './gallery-state.ts';
import { sampleSettings } from './sample-settings.ts';

type Part = Partial<SettingsUiState>;

export function section(
  name: SettingsSection,
  part: Part | ((language: Language) => Part) = {},
  settings: Partial<RedactedSettings> = {},
): GalleryState {
  return {
    view: (language): Partial<UiState> => ({
      screen: 'settings',
      settings: { ...sampleSettings, ...settings },
      settingsUi: {
        ...initialSettingsUiState,
        section: name,
        ...(typeof part === 'function' ? part(language) : part),
      },
    }),
  };
}
