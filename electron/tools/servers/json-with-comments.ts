/** Removes comments and commas before a closing bracket, as editors allow in their settings. Takes one pass. */
export function stripJsonComments(text: string): string {
  const kept: string[] = [];
  /** Where in `kept` the newest comma is, while only space follows it. */
  let comma: number | undefined;
  let at = 0;
  while (at < text.length) {
    const end = commentEnd(text, at);
    if (end !== undefined) {
      at = end;
      continue;
    }
    const letter = text.charAt(at);
    const next = letter === '"' ? stringEnd(text, at) : at + 1;
    if ((letter === '}' || letter === ']') && comma !== undefined) kept[comma] = '';
    if (letter === ',') comma = kept.length;
    else if (!/\s/u.test(letter)) comma = undefined;
    kept.push(text.slice(at, next));
    at = next;
  }
  return kept.join('');
}

/** Where the comment that begins here ends; undefined if none begins. */
function commentEnd(text: string, at: number): number | undefined {
  if (text.startsWith('//', at)) return placeOf(text, '\n', at);
  if (!text.startsWith('/*', at)) return undefined;
  return Math.min(text.length, placeOf(text, '*/', at + 2) + 2);
}

function placeOf(text: string, what: string, from: number): number {
  const place = text.indexOf(what, from);
  return place === -1 ? text.length : place;
}

function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(text.length, at + 1);
}
