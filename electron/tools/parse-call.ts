import { isJsonObject, isSimpleJson, type JsonObject } from '../../shared/protocol/json.ts';

/** A call as the model wrote it; the name may not exist. */
export interface ParsedCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** `long`: the splitter found too many characters. `unfinished`: the answer ended first. `broken`: it is not a call. */
export interface RefusedCall {
  readonly why: 'long' | 'unfinished' | 'broken';
}

const maxNameLength = 128;

/**
 * Parses the text between the tags of a call. One fault is repaired: a missing closing tag or a missing closing
 * bracket. If both are missing, the answer was cut off and may lack arguments, so the call is refused.
 */
export function parseCall(text: string, isClosed: boolean): ParsedCall | RefusedCall {
  const body = withoutFence(text.trim());
  if (!isSimpleJson(body)) return { why: 'broken' };
  const value = parseJson(body) ?? (isClosed ? parseJson(withClosingBracket(body)) : undefined);
  if (value === undefined) return { why: isClosed ? 'broken' : 'unfinished' };
  const { name, arguments: args } = value;
  if (typeof name !== 'string' || name === '' || name.length > maxNameLength)
    return { why: 'broken' };
  if (args === undefined) return { name, args: {} };
  return isJsonObject(args) ? { name, args } : { why: 'broken' };
}

/** Models sometimes write the JSON as a code block between the tags. */
function withoutFence(text: string): string {
  return /^(`{3,})[a-z_]*\s*\n?([\s\S]*?)\n?\s*\1$/u.exec(text)?.[2]?.trim() ?? text;
}

function parseJson(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Adds the closing bracket if exactly one is missing outside of strings. */
function withClosingBracket(text: string): string {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString && character === '\\') at += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && character === '{') open.push('}');
    else if (!inString && character === '[') open.push(']');
    else if (!inString && (character === '}' || character === ']')) open.pop();
  }
  return open.length === 1 && !inString ? text + String(open[0]) : text;
}
