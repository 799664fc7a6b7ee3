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

/** JSON as an object, or nothing: not every text is JSON, and not all JSON is an object. */
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

/** Whether two values that were built alike are the same; of what JSON has no word for nothing is known. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** No event has more fields and items, lies deeper, or has more outside of its texts. */
const maxItems = 20_000;
const maxDepth = 64;
const maxOutside = 200_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether it takes no time to speak of to parse a text as JSON, be it JSON or not. A frame of some
 * megabytes that is nothing but brackets takes a second, in which no sound would be played; one that is
 * nothing but sound takes none.
 *
 * @param maxEscaped how many letters may stand in texts with a backslash, which are no media and parsed slowly
 */
export function isSimpleJson(text: string, maxEscaped = Number.POSITIVE_INFINITY): boolean {
  let [items, depth, outside, escaped] = [0, 0, 0, 0];
  let backslashAt = -1;
  for (let at = 0; at < text.length; at += 1) {
    outside += 1;
    switch (text.charCodeAt(at)) {
      case quote: {
        const from = at;
        at = endOfText(text, at);
        // One that never ends is no JSON, and found out at once.
        if (at === -1) return true;
        // Looked for from where the last one was found, or a long frame would be searched anew for each text.
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
    if (items > maxItems || depth > maxDepth || outside > maxOutside) return false;
    if (escaped > maxEscaped) return false;
  }
  return true;
}

/** Where the next backslash is, or where the frame ends. */
function nextBackslash(text: string, from: number): number {
  const found = text.indexOf('\\', from);
  return found === -1 ? text.length : found;
}

/** Where the text ends that begins with the quote here. */
function endOfText(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - 1 - before) % 2 === 1;
}
