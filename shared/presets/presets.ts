import type { Mode } from '../protocol/dialect-and-mode.ts';
import type { PresetId, PresetMessages } from './preset.ts';

/** Where each makes sense. */
const presetModes: Readonly<Record<PresetId, readonly Mode[]>> = {
  everyday: ['chat', 'audio', 'video'],
  interpreter: ['chat', 'audio', 'video'],
  describe: ['chat', 'video'],
  coach: ['audio', 'video'],
  interview: ['chat', 'audio', 'video'],
  companion: ['audio', 'video'],
};

/** The ways to talk that it was written for; in the others it does no harm. */
export function modesOf(preset: PresetId): readonly Mode[] {
  return presetModes[preset];
}

/** What the model is told: a preset's text, or the person's own. */
export function instructionsOf(
  assistant: { readonly preset: PresetId | 'own'; readonly instructions: string },
  presets: PresetMessages,
): string {
  const { preset, instructions } = assistant;
  return preset === 'own' ? instructions : presets[preset].instructions;
}
