import type { GenerationOptions } from '../protocol/client-event.ts';
import { numberRule, booleanRule, patternRule, integerRule, wordOrRule } from './setting-rule.ts';
import type { SettingRules } from './setting-rule.ts';

type Known = Required<Omit<GenerationOptions, 'other' | 'listenTopK'>>;

/** How the model generates; every option of the wire has a value here, so that it can be shown. */
export type GenerationSettings = {
  readonly [Name in keyof Known]: Exclude<Known[Name], undefined>;
} & { readonly listenTopK: number | 'server' };

/** The words for these are the server's; which ones it knows nobody has written down. */
const serverWord = patternRule(/^[a-z][a-z\d_]{0,29}$/, 'must be a word in small letters');

export const generationRules: SettingRules<GenerationSettings> = {
  lengthPenalty: numberRule(0.1, 5),
  temperature: numberRule(0, 2),
  topK: integerRule(1, 1000),
  topP: numberRule(0.01, 1),
  textRepetitionPenalty: numberRule(0.5, 2),
  listenProbScale: numberRule(0, 10),
  listenTopK: wordOrRule('server', integerRule(1, 1000)),
  maxNewSpeakTokensPerChunk: integerRule(1, 200),
  forceListenCount: integerRule(0, 100),
  generateAudio: booleanRule,
  lsMode: serverWord,
  decodeMode: serverWord,
  ttsTemperature: numberRule(0, 2),
  ttsRepetitionPenalty: numberRule(0.5, 2),
  chunkMs: integerRule(250, 4000),
};

/**
 * What goes to the server: only what was changed, because a server's own defaults may be newer than
 * the ones known here.
 */
export function changedGeneration(
  chosen: GenerationSettings,
  defaults: GenerationSettings,
): GenerationOptions {
  const names = Object.keys(generationRules) as (keyof GenerationSettings)[];
  const changed = names.filter((name) => chosen[name] !== defaults[name]);
  return Object.fromEntries(changed.map((name) => [name, chosen[name]]));
}
