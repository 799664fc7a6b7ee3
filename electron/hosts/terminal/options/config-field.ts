import type { JsonValue } from '../../../../shared/protocol/json.ts';
import { UsageError } from '../exit-code.ts';

export type ConfigField = readonly [name: string, value: JsonValue];

/** `length_penalty=1.1`: the value is JSON where it is that, else the text as it stands. */
export function readConfigField(text: string): ConfigField {
  const at = text.indexOf('=');
  const name = text.slice(0, at).trim();
  if (at < 1 || name === '') {
    throw new UsageError(`--config takes NAME=VALUE, such as length_penalty=1.1, not "${text}".`);
  }
  return [name, jsonOr(text.slice(at + 1))];
}

function jsonOr(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
