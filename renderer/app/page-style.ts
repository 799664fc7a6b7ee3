import type { AppearanceSettings } from '../../shared/settings/app-settings.ts';
import type { KeySettings } from '../../shared/settings/key-settings.ts';
import type { RedactedSettings } from '../../shared/settings/redacted-settings.ts';
import { defaultSettings } from '../../shared/settings/settings.ts';
import type { CaptionSettings } from '../../shared/settings/talking-settings.ts';

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

/** The size of captions for which the type scale is drawn; others are a multiple of it. */
const drawnFor = 28;

/** Puts a look where the style looks for it. Every length is in rem, so that text scales the page. */
export function applyPageStyle({ appearance, captions }: PageStyle, page: HTMLElement): void {
  page.dataset['theme'] = appearance.theme;
  page.dataset['contrast'] = captions.contrast;
  page.style.fontSize = `${appearance.textSize}%`;
  page.style.setProperty('--caption-scale', String(captions.size / drawnFor));
}
