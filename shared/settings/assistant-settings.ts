import { generationFields, type GenerationOptions } from '../protocol/realtime-api.ts';
import { isJsonObject, type JsonObject } from '../protocol/json.ts';
import { presetIds, type PresetId } from './preset.ts';
import {
  booleanRule,
  choiceRule,
  integerRule,
  numberRule,
  patternRule,
  setting,
  settingsGroup,
  textRule,
  valueRule,
  wordOrRule,
  idPattern,
  type SettingRule,
  type ValueOf,
} from './setting-rule.ts';

type Role = PresetId | 'own';

const roles: readonly Role[] = [...presetIds, 'own'];

const rolesRule = valueRule<readonly Role[]>('must be a list of roles', (value) => {
  if (!Array.isArray(value)) return undefined;
  const known = roles.filter((role) => value.includes(role));
  return known.length === value.length ? known : undefined;
});

type PresetConfigs = { readonly [Preset in PresetId | 'own']?: JsonObject };

export const maxConfigLength = 4000;

/** Whether a value from a file or page is valid as extra `config` fields. */
export function isConfig(value: unknown): value is JsonObject {
  return isJsonObject(value) && JSON.stringify(value).length <= maxConfigLength;
}

const presetConfigsRule: SettingRule<PresetConfigs> = valueRule(
  `must be the additional fields of roles, at most ${maxConfigLength} characters each`,
  (value) => {
    if (!isJsonObject(value)) return undefined;
    const known: ReadonlySet<string> = new Set(roles);
    const entries = Object.entries(value);
    const areValid = entries.every(
      (entry): entry is [string, JsonObject] => known.has(entry[0]) && isConfig(entry[1]),
    );
    if (!areValid) return undefined;
    return Object.fromEntries(entries.filter(([, config]) => Object.keys(config).length > 0));
  },
);

/**
 * Merges extra `config` fields into the generation options. The extra fields win; null removes a field, so that the
 * server's default applies. Precedence, highest first: fields of the server, of the preset, of the settings.
 */
export function withConfig(
  generation: GenerationOptions | undefined,
  config: JsonObject | undefined,
): GenerationOptions | undefined {
  if (config === undefined) return generation;
  const { other, ...known } = generation ?? {};
  const wireNames = new Map<string, string>(generationFields.map(([ours, wire]) => [ours, wire]));
  const remaining = Object.entries(known).filter(
    ([name]) => !Object.hasOwn(config, wireNames.get(name) ?? name),
  );
  const fields = Object.entries({ ...other, ...config }).filter(
    ([name, value]) => value !== null || !Object.hasOwn(config, name),
  );
  if (remaining.length === 0 && fields.length === 0) return undefined;
  return {
    ...Object.fromEntries(remaining),
    ...(fields.length === 0 ? {} : { other: Object.fromEntries(fields) }),
  };
}

/**
 * The form of option values that are words, such as `sampling`. Servers do not document the words, so only the form is
 * checked.
 */
export const serverWordForm = /^[a-z][a-z\d_]{0,29}$/;
const serverWord = patternRule(serverWordForm, 'must be a word in small letters');

/** Generation options that the settings show. The defaults are those of deployed servers; `server` is not sent. */
const generationSettings = settingsGroup({
  lengthPenalty: setting(numberRule(0.1, 5), 1.1),
  temperature: setting(numberRule(0, 2), 0.7),
  topK: setting(integerRule(1, 1000), 100),
  topP: setting(numberRule(0.01, 1), 0.8),
  textRepetitionPenalty: setting(numberRule(0.5, 2), 1.05),
  listenProbScale: setting(numberRule(0, 10), 1),
  listenTopK: setting(wordOrRule('server', integerRule(1, 1000)), 'server'),
  maxNewSpeakTokensPerChunk: setting(integerRule(1, 200), 20),
  forceListenCount: setting(integerRule(0, 100), 0),
  generateAudio: setting(booleanRule, true),
  lsMode: setting(serverWord, 'explicit'),
  decodeMode: setting(serverWord, 'sampling'),
  ttsTemperature: setting(numberRule(0, 2), 0.8),
  ttsRepetitionPenalty: setting(numberRule(0.5, 2), 1.05),
  chunkMs: setting(integerRule(250, 4000), 1000),
});

export type GenerationSettings = ValueOf<typeof generationSettings>;

/** Only changed options are sent, because a server may have newer defaults. */
export function changedGeneration(chosen: GenerationSettings): GenerationOptions {
  const names = Object.keys(generationSettings.initial) as (keyof GenerationSettings)[];
  const changed = names.filter((name) => chosen[name] !== generationSettings.initial[name]);
  return Object.fromEntries(changed.map((name) => [name, chosen[name]]));
}

/** In characters. Longer instructions would fill the model's context. */
export const maxInstructionsLength = 20_000;

export const assistantSettings = settingsGroup({
  /** `own` uses the instructions below. */
  preset: setting(choiceRule(roles), 'everyday'),
  /** Written by the user; kept while a preset is chosen. */
  instructions: setting(textRule(maxInstructionsLength), ''),
  generation: generationSettings,
  configs: setting(presetConfigsRule, {}),
  /** Roles that get no memory. The interpreter is one by default, because it must translate, and add nothing that it knows. */
  withoutMemory: setting(rolesRule, ['interpreter']),
});

export type AssistantSettings = ValueOf<typeof assistantSettings>;

/** Generation settings of written conversations. `server` leaves a value to the server. */
export const chatSettings = settingsGroup({
  system: setting(textRule(50_000), ''),
  streaming: setting(booleanRule, true),
  speech: setting(booleanRule, false),
  /** The id of a stored voice, `none` for the server default, or `usual` for the voice of talks. */
  voice: setting(patternRule(idPattern, 'must be the id of a voice, "none" or "usual"'), 'usual'),
  maxNewTokens: setting(wordOrRule('server', integerRule(1, 8192)), 'server'),
  lengthPenalty: setting(wordOrRule('server', numberRule(0.1, 5)), 'server'),
  thinking: setting(booleanRule, false),
  ttsTemplate: setting(booleanRule, true),
  maxSlices: setting(wordOrRule('server', integerRule(1, 9)), 'server'),
});

export type ChatSettings = ValueOf<typeof chatSettings>;

/** Replaces `usual` with the id of the voice of talks. */
export function resolveUsualVoice(chat: ChatSettings, talkVoice: string): ChatSettings {
  return chat.voice === 'usual' ? { ...chat, voice: talkVoice } : chat;
}

/** Replaces the id of the voice of talks with `usual`, so that it follows later changes. */
export function toStoredVoice(chat: ChatSettings, talkVoice: string): ChatSettings {
  return chat.voice === talkVoice ? { ...chat, voice: 'usual' } : chat;
}

/** Undefined if the value is left to the server. */
export function explicitNumber(value: number | 'server'): number | undefined {
  return value === 'server' ? undefined : value;
}
