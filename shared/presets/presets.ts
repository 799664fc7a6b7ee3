import type { Mode } from '../protocol/dialect-and-mode.ts';
import { presetIds } from './preset.ts';
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

/** Those that make sense in a mode, in the order in which they are offered. */
export function presetsFor(mode: Mode): readonly PresetId[] {
  return presetIds.filter((id) => presetModes[id].includes(mode));
}

/** What the model is told: a preset's text, or the person's own. */
export function instructionsOf(
  assistant: { readonly preset: PresetId | 'own'; readonly instructions: string },
  presets: PresetMessages,
): string {
  const { preset, instructions } = assistant;
  return preset === 'own' ? instructions : presets[preset].instructions;
}
