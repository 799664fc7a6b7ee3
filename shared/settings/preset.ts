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
  /** One line. */
  readonly summary: string;
  readonly instructions: string;
}

export type PresetMessages = Readonly<Record<PresetId, PresetText>>;

const presetModes: Readonly<Record<PresetId, readonly Mode[]>> = {
  everyday: ['chat', 'audio', 'video'],
  interpreter: ['chat', 'audio', 'video'],
  describe: ['chat', 'video'],
  coach: ['audio', 'video'],
  interview: ['chat', 'audio', 'video'],
  companion: ['audio', 'video'],
};

/** The modes that a preset is written for. It also works in the others. */
export function modesForPreset(preset: PresetId): readonly Mode[] {
  return presetModes[preset];
}

export function resolveInstructions(
  assistant: { readonly preset: PresetId | 'own'; readonly instructions: string },
  presets: PresetMessages,
): string {
  const { preset, instructions } = assistant;
  return preset === 'own' ? instructions : presets[preset].instructions;
}

/** Appends a text to instructions; either may be missing. */
export function withInstructions(
  instructions: string | undefined,
  text: string | undefined,
): string | undefined {
  if (text === undefined) return instructions;
  return instructions === undefined || instructions.trim() === ''
    ? text
    : `${instructions}\n\n${text}`;
}
