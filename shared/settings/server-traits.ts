import type { VoiceForm } from '../protocol/client-event.ts';
import type { JsonObject } from '../protocol/json.ts';
import { isConfig } from './config-fields.ts';
import { isRecord, valueRule } from './setting-rule.ts';
import type { SettingRule } from './setting-rule.ts';

/** What a person knows of a server; what is missing is found out, or goes by the documents. */
export interface ServerTraits {
  /** How long a session may last, in seconds. */
  readonly timeLimit?: number | undefined;
  /** Tokens that fit into the model's context. */
  readonly contextLimit?: number | undefined;
  readonly voiceForm?: VoiceForm | undefined;
  /** Fields of `config` that go along as they are; the same one of settings and role gives way, null leaves one out. */
  readonly config?: JsonObject | undefined;
}

export const timeLimitRange = { min: 20, max: 86_400 } as const;
export const contextLimitRange = { min: 256, max: 10_000_000 } as const;

export const serverTraitsRule: SettingRule<ServerTraits> = valueRule(
  'must be what is known of a server: timeLimit, contextLimit, voiceForm, config',
  readServerTraits,
);

/** The traits, or nothing where one of them is wrong. */
export function readServerTraits(value: unknown): ServerTraits | undefined {
  if (!isRecord(value)) return undefined;
  const { timeLimit, contextLimit, voiceForm, config, ...others } = value;
  if (Object.keys(others).length > 0) return undefined;
  if (!isWithin(timeLimit, timeLimitRange)) return undefined;
  if (!isWithin(contextLimit, contextLimitRange)) return undefined;
  if (voiceForm !== undefined && voiceForm !== 'float32' && voiceForm !== 'wav') return undefined;
  if (config !== undefined && !isConfig(config)) return undefined;
  return {
    ...(timeLimit === undefined ? {} : { timeLimit }),
    ...(contextLimit === undefined ? {} : { contextLimit }),
    ...(voiceForm === undefined ? {} : { voiceForm }),
    ...(config === undefined || Object.keys(config).length === 0 ? {} : { config }),
  };
}

function isWithin(
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): value is number | undefined {
  if (value === undefined) return true;
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}
