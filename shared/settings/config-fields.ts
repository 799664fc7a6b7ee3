import type { PresetId } from '../presets/preset.ts';
import { presetIds } from '../presets/preset.ts';
import type { GenerationOptions } from '../protocol/client-event.ts';
import { isJsonObject } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { generationFields } from '../protocol/unified/generation-fields.ts';
import { isRecord, valueRule } from './setting-rule.ts';
import type { SettingRule } from './setting-rule.ts';

/** Those that go along with each role. */
export type PresetConfigs = { readonly [Preset in PresetId | 'own']?: JsonObject };

export const maxConfigLetters = 4000;

/** Fields of `config` as a person writes them down, a file's or a page's. */
export function isConfig(value: unknown): value is JsonObject {
  return isJsonObject(value) && JSON.stringify(value).length <= maxConfigLetters;
}

export const presetConfigsRule: SettingRule<PresetConfigs> = valueRule(
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
