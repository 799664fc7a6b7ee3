export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Undefined if the text is not JSON, or the JSON is not an object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares values as JSON. The order of keys matters, and what JSON cannot represent does not. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** No event has more items, more depth or more characters outside of strings. */
const maxItems = 20_000;
const maxDepth = 64;
const maxOutsideStrings = 200_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether parsing takes negligible time, unlike megabytes of brackets.
 * @param maxEscaped the total length allowed for strings that contain a backslash
 */
export function isSimpleJson(text: string, maxEscaped = Number.POSITIVE_INFINITY): boolean {
  let [items, depth, outside, escaped] = [0, 0, 0, 0];
  let backslashAt = -1;
  for (let at = 0; at < text.length; at += 1) {
    outside += 1;
    switch (text.charCodeAt(at)) {
      case quote: {
        const from = at;
        at = endOfString(text, at);
        // An unterminated string is invalid JSON, which parsers detect at once.
        if (at === -1) return true;
        // Continues from the last backslash found, to scan a long frame only once.
        if (backslashAt < from) backslashAt = nextBackslash(text, from);
        if (backslashAt < at) escaped += at - from;
        break;
      }
      case openList:
      case openObject:
        items += 1;
        depth += 1;
        break;
      case comma:
        items += 1;
        break;
      case closeList:
      case closeObject:
        depth -= 1;
    }
    if (items > maxItems || depth > maxDepth || outside > maxOutsideStrings) return false;
    if (escaped > maxEscaped) return false;
  }
  return true;
}

/** Index of the next backslash, or the frame's length. */
function nextBackslash(text: string, from: number): number {
  const found = text.indexOf('\\', from);
  return found === -1 ? text.length : found;
}

/** Index of the quote that ends the string. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - 1 - before) % 2 === 1;
}
