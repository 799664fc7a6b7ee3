import { harmlessLine, harmlessText } from '../../harmless-text.ts';
import { isJsonObject } from '../json.ts';
import type { JsonObject, JsonValue } from '../json.ts';

/** Fields that may be missing: what is of another type is taken for missing. */
function textIn(frame: JsonObject, key: string): string | undefined {
  const value = frame[key];
  return typeof value === 'string' ? value : undefined;
}

/** Ids, codes and names are words; what is longer was never one. */
const maxNameLetters = 200;
/** A sentence or two; some servers send a whole stack. */
const maxRemarkLetters = 2000;

/** A name that a server gives something: as it came, or harmless and cut where no name is so. */
export function nameIn(frame: JsonObject, key: string): string | undefined {
  const text = textIn(frame, key);
  return text === undefined ? undefined : harmlessLine(text, maxNameLetters);
}

/** What a server says in its own words, on as many lines as it likes. */
export function remarkIn(frame: JsonObject, key: string): string | undefined {
  const text = textIn(frame, key);
  return text === undefined ? undefined : harmlessText(text.slice(0, maxRemarkLetters));
}

export function numberIn(frame: JsonObject, key: string): number | undefined {
  const value = frame[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Many servers write a field they have nothing for as null. */
export function isMissing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** For sentences: "is a number", "is missing". */
export function typeInWords(value: JsonValue | undefined): string {
  if (isMissing(value)) return 'missing';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'a number';
  if (typeof value === 'boolean') return 'true or false';
  return isJsonObject(value) ? 'an object' : 'a list';
}
