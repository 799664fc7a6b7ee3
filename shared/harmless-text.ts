/**
 * What a terminal would obey or a reader be deceived by: colours, cursor moves and bells, marks that turn the
 * direction of what follows, and line breaks that no text has. Tabs and plain line breaks stay.
 */
const commands =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/gu;

/** A text from outside, without what a terminal or a log would do something at instead of showing it. */
export function harmlessText(text: string): string {
  return text.replaceAll(commands, '');
}

/** The same on one line, and no longer than so many letters. */
export function harmlessLine(text: string, maxLetters = Infinity): string {
  // What is far beyond the end is not looked at: a server may send megabytes as a name.
  const near = text.length > maxLetters * 4 ? text.slice(0, maxLetters * 4) : text;
  const line = harmlessText(near.replaceAll(/\s+/gu, ' '));
  return line.length > maxLetters ? `${wholeLetters(line, maxLetters)}…` : line;
}

/** A value as one line of JSON that says the same, with the commands in it written out. */
export function harmlessJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    commands,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** No letter that takes two places is taken apart. */
function wholeLetters(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** What the system or a library calls an error, as `ENOENT`; empty where it has no code. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string') return code;
  // Connecting by several addresses at once fails with all their errors together.
  return error instanceof AggregateError ? errorCode(error.errors[0]) : '';
}

/** The first line of what an unknown thrown thing says; its stack is never for people. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n', 1)[0] ?? text;
}
