import type { DialectName } from '../protocol/dialect-and-mode.ts';
import type { JsonObject } from '../protocol/json.ts';

/** How long the server heard the person speak since its last answer, and how many steps it only listened to. */
export interface OnlyListening {
  readonly spokenSeconds: number;
  readonly steps: number;
}

/** Settings that make a model speak more readily, by their names on the wire. */
const wireNames = {
  listenProbScale: 'listen_prob_scale',
  lengthPenalty: 'length_penalty',
} as const;

export type AnswerSetting = keyof typeof wireNames;

export interface OnlyListeningNote extends OnlyListening {
  /** Those that this server takes from the person's settings. */
  readonly settings: readonly AnswerSetting[];
}

/** @param config the server's own fields, which win over the settings, and leave out what is null */
export function answerSettingsOf(
  dialect: DialectName,
  config: JsonObject = {},
): readonly AnswerSetting[] {
  if (dialect !== 'unified') return [];
  const all = Object.entries(wireNames) as [AnswerSetting, string][];
  return all.filter(([, name]) => !Object.hasOwn(config, name)).map(([setting]) => setting);
}
