// Compiled and never run, like contract.types.ts.
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { PresetText } from '../../shared/settings/preset.ts';
import type { SettingsPatch } from '../../shared/settings/settings.ts';

declare const texts: CoreMessages;

// @ts-expect-error a language without presets
export const halved: CoreMessages = { desktop: texts.desktop, carryOver: texts.carryOver };
const { coach: _coach, ...others } = texts.presets;
// @ts-expect-error a missing preset
export const fewer: CoreMessages['presets'] = others;
export const more: CoreMessages['presets'] = {
  ...texts.presets,
  // @ts-expect-error an unknown preset
  pirate: texts.presets.coach,
};
// @ts-expect-error a text without its title
export const untitled: PresetText = { summary: '', instructions: '' };

export const patch: SettingsPatch = { talking: { overlap: { shortMs: 300 } } };
// @ts-expect-error a setting that does not exist
export const madeUp: SettingsPatch = { talking: { volume: 3 } };
