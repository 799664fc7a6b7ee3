import { defaultSettings } from '../../shared/settings/default-settings.ts';
import type { AppearanceSettings, CaptionSettings } from '../../shared/settings/groups.ts';
import type { ShownSettings } from '../../shared/settings/shown-settings.ts';

/** Of the settings, what the page itself looks like. */
export interface Look {
  readonly appearance: AppearanceSettings;
  readonly captions: CaptionSettings;
}

export const usualLook: Look = {
  appearance: defaultSettings.appearance,
  captions: defaultSettings.captions,
};

/** Of the view, what a look is read from. */
interface Known {
  readonly settings: Pick<ShownSettings, 'appearance' | 'captions' | 'talking'> | undefined;
  readonly look: Look;
}

/** What the settings say, and until they have come what they said the last time. */
export function appearanceOf({ settings, look }: Known): AppearanceSettings {
  return settings?.appearance ?? look.appearance;
}

export function captionsOf({ settings, look }: Known): CaptionSettings {
  return settings?.captions ?? look.captions;
}

/** The key that talks, until the settings have come the usual one. */
export function talkKeyOf({ settings }: Pick<Known, 'settings'>): string {
  return settings?.talking.key ?? defaultSettings.talking.key;
}
