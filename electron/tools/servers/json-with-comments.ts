/** Removes comments and commas before a closing bracket, as editors allow in their settings. Takes one pass. */
export function stripJsonComments(text: string): string {
  const pieces: string[] = [];
  /** Index in `pieces` of the last comma, while only space follows it. */
  let commaIndex: number | undefined;
  let at = 0;
  while (at < text.length) {
    const end = commentEnd(text, at);
    if (end !== undefined) {
      at = end;
      continue;
    }
    const character = text.charAt(at);
    const next = character === '"' ? stringEnd(text, at) : at + 1;
    if ((character === '}' || character === ']') && commaIndex !== undefined)
      pieces[commaIndex] = '';
    if (character === ',') commaIndex = pieces.length;
    else if (!/\s/u.test(character)) commaIndex = undefined;
    pieces.push(text.slice(at, next));
    at = next;
  }
  return pieces.join('');
}

/** The end of the comment that begins at `at`; undefined if none begins there. */
function commentEnd(text: string, at: number): number | undefined {
  if (text.startsWith('//', at)) return indexOrEnd(text, '\n', at);
  if (!text.startsWith('/*', at)) return undefined;
  return Math.min(text.length, indexOrEnd(text, '*/', at + 2) + 2);
}

function indexOrEnd(text: string, what: string, from: number): number {
  const place = text.indexOf(what, from);
  return place === -1 ? text.length : place;
}

function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(text.length, at + 1);
}
