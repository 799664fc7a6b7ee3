// Compiled and never run, like contract.types.ts.
import type { Preset, PresetText } from '../../shared/presets/preset.ts';
import type { SettingsPatch } from '../../shared/settings/settings.ts';

declare const text: PresetText;

export const whole: Preset = { id: 'coach', modes: ['audio'], texts: { en: text, zh: text } };
// @ts-expect-error a language is missing
export const halved: Preset = { id: 'coach', modes: ['audio'], texts: { en: text } };
// @ts-expect-error a text without its title
export const untitled: PresetText = { summary: '', instructions: '' };

export const patch: SettingsPatch = { talking: { overlap: { shortMs: 300 } } };
// @ts-expect-error a setting that does not exist
export const madeUp: SettingsPatch = { talking: { volume: 3 } };
