import type { Mode } from '../protocol/dialect-and-mode.ts';

/** The languages that Parley is written in. */
export type AppLanguage = 'en' | 'zh';

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

/** One manner in which the model can be; a language that lacks its text does not compile. */
export interface Preset {
  readonly id: PresetId;
  /** Where it makes sense. */
  readonly modes: readonly Mode[];
  readonly texts: Readonly<Record<AppLanguage, PresetText>>;
}
