/** Control characters, bidirectional marks and unusual line breaks. Tabs and line feeds are not included. */
const controlCharacters =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/gu;

/** Removes characters that a terminal executes or that reorder the visible text. */
export function stripControlCharacters(text: string): string {
  return text.replaceAll(controlCharacters, '');
}

/** Sequences that a terminal executes: colours, titles, links. If only the control character is removed, their letters remain. */
const terminalSequences =
  // oxlint-disable-next-line no-control-regex -- the escape character begins them
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/gu;

export function stripTerminalSequences(text: string): string {
  return text.replaceAll(terminalSequences, '');
}

/** Sanitises text to one line of at most `maxLength` characters. */
export function sanitizeLine(text: string, maxLength = Infinity): string {
  // Cut first, because a server can send megabytes as a name.
  const bounded = text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text;
  const line = stripControlCharacters(bounded.replaceAll(/\s+/gu, ' '));
  return line.length > maxLength ? `${truncateText(line, maxLength)}…` : line;
}

/** Serialises to one line of JSON in which control characters are escaped. */
export function toSafeJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Cuts a text, but not within a surrogate pair. */
function truncateText(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** The code of a system or library error, such as `ENOENT`, or an empty string. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string') return code;
  // Connecting to several addresses at once fails with an AggregateError.
  return error instanceof AggregateError ? errorCode(error.errors[0]) : '';
}

/** The first line of the message of anything thrown. The stack is left out. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n', 1)[0] ?? text;
}
