import { presetIds } from '../presets/preset.ts';
import type { PresetId } from '../presets/preset.ts';
import { presetConfigsRule } from './config-fields.ts';
import type { PresetConfigs } from './config-fields.ts';
import { generationRules } from './generation-settings.ts';
import type { GenerationSettings } from './generation-settings.ts';
import { groupRule, choiceRule, textRule } from './setting-rule.ts';
import type { SettingRules } from './setting-rule.ts';

export interface AssistantSettings {
  /** `own` takes the instructions written by the person. */
  readonly preset: PresetId | 'own';
  /** The person's own; kept also while a preset is chosen. */
  readonly instructions: string;
  readonly generation: GenerationSettings;
  /** Further fields of `config`, by the preset that they go along with. */
  readonly configs: PresetConfigs;
}

/** More would leave no room in the model's context for a conversation. */
export const maxInstructionsLength = 20_000;

export const assistantRules: SettingRules<AssistantSettings> = {
  preset: choiceRule([...presetIds, 'own']),
  instructions: textRule(maxInstructionsLength),
  generation: groupRule<GenerationSettings>(generationRules),
  configs: presetConfigsRule,
};
