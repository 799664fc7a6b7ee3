import { foldText } from '../../shared/chat/fold-text.ts';

const before = 24;
const length = 120;

/** The text around the first place where the folded words stand, with `…` where it is cut. */
export function findExcerpt(text: string, foldedWords: string): string {
  const at = placeOf(text, foldedWords);
  if (at === undefined) return '';
  const piece = text.slice(Math.max(0, at - before), at + length);
  const line = piece
    .replaceAll(/\p{Surrogate}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return `${at > before ? '…' : ''}${line}${at + length < text.length ? '…' : ''}`;
}

/** Folding makes texts shorter or longer, so the place is found letter by letter. */
function placeOf(text: string, foldedWords: string): number | undefined {
  const found = foldText(text).indexOf(foldedWords);
  if (found === -1) return undefined;
  let folded = 0;
  let place = 0;
  for (const letter of text) {
    if (folded >= found && foldText(letter) !== '') return place;
    folded += foldText(letter).length;
    place += letter.length;
  }
  return undefined;
}
