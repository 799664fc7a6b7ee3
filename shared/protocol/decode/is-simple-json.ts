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
 */
export function isSimpleJson(text: string): boolean {
  let [items, depth, outside] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    outside += 1;
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfText(text, at);
        // One that never ends is no JSON, and found out at once.
        if (at === -1) return true;
        break;
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
  }
  return true;
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
