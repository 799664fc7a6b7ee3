import type { Mode } from '../protocol/realtime-api.ts';

export const presetIds = [
  'everyday',
  'interpreter',
  'describe',
  'coach',
  'interview',
  'companion',
] as const;

export type PresetId = (typeof presetIds)[number];

export interface PresetText {
  readonly title: string;
  /** What it is good for, in a line. */
  readonly summary: string;
  /** What the model is told. */
  readonly instructions: string;
}

/** The words of all of them, in one language. */
export type PresetMessages = Readonly<Record<PresetId, PresetText>>;

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
