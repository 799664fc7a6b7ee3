/** A letter of a turn's text. */
export interface CaptionPlace {
  readonly turn: number;
  readonly letter: number;
}

/** The letter that stands there; nothing beside the words. */
export function captionPlaceAt(x: number, y: number): CaptionPlace | undefined {
  const caret = document.caretPositionFromPoint(x, y);
  if (caret === null) return undefined;
  const line = caret.offsetNode.parentElement?.closest<HTMLElement>('.caption') ?? undefined;
  if (line === undefined) return undefined;
  const before = lettersBefore(line, caret.offsetNode);
  if (before === undefined) return undefined;
  const { turn, from } = line.dataset;
  return { turn: Number(turn), letter: Number(from) + before + caret.offset };
}

/** Of the line's own words: what is there only to be heard is none of them. */
function lettersBefore(line: HTMLElement, node: Node): number | undefined {
  const words = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let letters = 0;
  for (let text = words.nextNode(); text !== null; text = words.nextNode()) {
    const spoken = (text.parentElement?.closest('.only-heard') ?? undefined) === undefined;
    if (text === node) return spoken ? letters : undefined;
    if (spoken) letters += text.textContent?.length ?? 0;
  }
  return undefined;
}
