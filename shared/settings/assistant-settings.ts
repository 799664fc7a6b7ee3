import { generationFields, type GenerationOptions } from '../protocol/client-event.ts';
import { isJsonObject, type JsonObject } from '../protocol/json.ts';
import { type PresetId, presetIds } from './preset.ts';
import {
  booleanRule,
  choiceRule,
  groupRule,
  integerRule,
  isRecord,
  numberRule,
  patternRule,
  type SettingRule,
  type SettingRules,
  textRule,
  valueRule,
  wordOrRule,
} from './setting-rule.ts';

/** Those that go along with each role. */
type PresetConfigs = { readonly [Preset in PresetId | 'own']?: JsonObject };

export const maxConfigLetters = 4000;

/** Fields of `config` as a person writes them down, a file's or a page's. */
export function isConfig(value: unknown): value is JsonObject {
  return isJsonObject(value) && JSON.stringify(value).length <= maxConfigLetters;
}

const presetConfigsRule: SettingRule<PresetConfigs> = valueRule(
  `must be the further fields of roles, at most ${maxConfigLetters} letters each`,
  (value) => {
    if (!isRecord(value)) return undefined;
    const known: ReadonlySet<string> = new Set([...presetIds, 'own']);
    const entries = Object.entries(value);
    const right = entries.every(
      (entry): entry is [string, JsonObject] => known.has(entry[0]) && isConfig(entry[1]),
    );
    if (!right) return undefined;
    return Object.fromEntries(entries.filter(([, config]) => Object.keys(config).length > 0));
  },
);

/**
 * What is sent with further fields, which win over what there is: a role's over the settings, and a server's over both.
 * One that is null is left out, and it is the server's own value that counts.
 */
export function withConfig(
  generation: GenerationOptions | undefined,
  config: JsonObject | undefined,
): GenerationOptions | undefined {
  if (config === undefined) return generation;
  const { other, ...known } = generation ?? {};
  const wireNames = new Map<string, string>(generationFields.map(([ours, wire]) => [ours, wire]));
  const kept = Object.entries(known).filter(
    ([name]) => !Object.hasOwn(config, wireNames.get(name) ?? name),
  );
  const fields = Object.entries({ ...other, ...config }).filter(
    ([name, value]) => value !== null || !Object.hasOwn(config, name),
  );
  if (kept.length === 0 && fields.length === 0) return undefined;
  return {
    ...Object.fromEntries(kept),
    ...(fields.length === 0 ? {} : { other: Object.fromEntries(fields) }),
  };
}

type Known = Required<Omit<GenerationOptions, 'other' | 'listenTopK'>>;

/** How the model generates; every option of the wire has a value here, so that it can be shown. */
export type GenerationSettings = {
  readonly [Name in keyof Known]: Exclude<Known[Name], undefined>;
} & { readonly listenTopK: number | 'server' };

/** The words for these are the server's; which ones it knows nobody has written down. */
const serverWord = patternRule(/^[a-z][a-z\d_]{0,29}$/, 'must be a word in small letters');

const generationRules: SettingRules<GenerationSettings> = {
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

export interface AssistantSettings {
  /** `own` takes the instructions written by the person. */
  readonly preset: PresetId | 'own';
  /** The person's own; kept also while a preset is chosen. */
  readonly instructions: string;
  readonly generation: GenerationSettings;
  /** Further fields of `config`, by the preset that they go along with. */
  readonly configs: PresetConfigs;
}

/** More would leave no room in the model's context for a conversation. */
export const maxInstructionsLength = 20_000;

export const assistantRules: SettingRules<AssistantSettings> = {
  preset: choiceRule([...presetIds, 'own']),
  instructions: textRule(maxInstructionsLength),
  generation: groupRule<GenerationSettings>(generationRules),
  configs: presetConfigsRule,
};
