import type { Mode } from '../protocol/dialect-and-mode.ts';
import { coach } from './coach.ts';
import { companion } from './companion.ts';
import { describe } from './describe.ts';
import { everyday } from './everyday.ts';
import { interpreter } from './interpreter.ts';
import { interview } from './interview.ts';
import type { AppLanguage, Preset, PresetId } from './preset.ts';

const byId: Readonly<Record<PresetId, Preset>> = {
  everyday,
  interpreter,
  describe,
  coach,
  interview,
  companion,
};

/** Those that make sense in a mode, in the order in which they are offered. */
export function presetsFor(mode: Mode): readonly Preset[] {
  return Object.values(byId).filter(({ modes }) => modes.includes(mode));
}

/** What the model is told: a preset's text, or the person's own. */
export function instructionsOf(
  assistant: { readonly preset: PresetId | 'own'; readonly instructions: string },
  language: AppLanguage,
): string {
  const { preset, instructions } = assistant;
  return preset === 'own' ? instructions : byId[preset].texts[language].instructions;
}
