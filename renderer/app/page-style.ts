import type {
  AppearanceSettings,
  KeySettings,
  CaptionSettings,
} from '../../shared/settings/app-settings.ts';
import { type RedactedSettings, defaultSettings } from '../../shared/settings/settings.ts';

export interface PageStyle {
  readonly appearance: AppearanceSettings;
  readonly captions: CaptionSettings;
}

export const defaultPageStyle: PageStyle = {
  appearance: defaultSettings.appearance,
  captions: defaultSettings.captions,
};

interface StyleSource {
  readonly settings:
    | Pick<RedactedSettings, 'appearance' | 'captions' | 'talking' | 'keys'>
    | undefined;
  readonly pageStyle: PageStyle;
}

/** The style from the settings, or the cached one until they arrive. */
export function selectAppearance({ settings, pageStyle }: StyleSource): AppearanceSettings {
  return settings?.appearance ?? pageStyle.appearance;
}

export function selectCaptions({ settings, pageStyle }: StyleSource): CaptionSettings {
  return settings?.captions ?? pageStyle.captions;
}

export function selectWindowKeys({ settings }: Pick<StyleSource, 'settings'>): KeySettings {
  return settings?.keys ?? defaultSettings.keys;
}

/** The talk key, or its default until the settings arrive. */
export function selectTalkKey({ settings }: Pick<StyleSource, 'settings'>): string {
  return settings?.talking.key ?? defaultSettings.talking.key;
}

/** The caption size in pixels that the type scale is designed for. */
const designedCaptionSize = 28;

/** Applies the style to the root element. All lengths are in rem, so the text size scales the page. */
export function applyPageStyle({ appearance, captions }: PageStyle, page: HTMLElement): void {
  page.dataset['theme'] = appearance.theme;
  page.dataset['contrast'] = captions.contrast;
  page.style.fontSize = `${appearance.textSize}%`;
  page.style.setProperty('--caption-scale', String(captions.size / designedCaptionSize));
}
