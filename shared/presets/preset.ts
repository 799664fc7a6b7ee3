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
