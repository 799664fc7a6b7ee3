import { presetIds } from '../presets/preset.ts';
import type { PresetId } from '../presets/preset.ts';
import { generationRules } from './generation.ts';
import type { GenerationSettings } from './generation.ts';
import { group, oneOf, text } from './rule.ts';
import type { Rules } from './rule.ts';

export interface AssistantSettings {
  /** `own` takes the instructions written by the person. */
  readonly preset: PresetId | 'own';
  /** The person's own; kept also while a preset is chosen. */
  readonly instructions: string;
  readonly generation: GenerationSettings;
}

/** More would leave no room in the model's context for a conversation. */
export const longestInstructions = 20_000;

export const assistantRules: Rules<AssistantSettings> = {
  preset: oneOf([...presetIds, 'own']),
  instructions: text(longestInstructions),
  generation: group<GenerationSettings>(generationRules),
};
