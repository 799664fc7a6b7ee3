import { defaultSettings } from '../../shared/settings/default-settings.ts';
import type { AppearanceSettings, CaptionSettings } from '../../shared/settings/settings-groups.ts';
import type { KeySettings } from '../../shared/settings/key-settings.ts';
import type { RedactedSettings } from '../../shared/settings/redacted-settings.ts';

/** Of the settings, what the page itself looks like. */
export interface PageStyle {
  readonly appearance: AppearanceSettings;
  readonly captions: CaptionSettings;
}

export const defaultPageStyle: PageStyle = {
  appearance: defaultSettings.appearance,
  captions: defaultSettings.captions,
};

/** Of the view, what a look is read from. */
interface StyleSource {
  readonly settings:
    | Pick<RedactedSettings, 'appearance' | 'captions' | 'talking' | 'keys'>
    | undefined;
  readonly pageStyle: PageStyle;
}

/** What the settings say, and until they have come what they said the last time. */
export function appearanceOf({ settings, pageStyle }: StyleSource): AppearanceSettings {
  return settings?.appearance ?? pageStyle.appearance;
}

export function captionsOf({ settings, pageStyle }: StyleSource): CaptionSettings {
  return settings?.captions ?? pageStyle.captions;
}

/** The other keys of the window, as they are set. */
export function windowKeysOf({ settings }: Pick<StyleSource, 'settings'>): KeySettings {
  return settings?.keys ?? defaultSettings.keys;
}

/** The key that talks, until the settings have come the usual one. */
export function talkKeyOf({ settings }: Pick<StyleSource, 'settings'>): string {
  return settings?.talking.key ?? defaultSettings.talking.key;
}
