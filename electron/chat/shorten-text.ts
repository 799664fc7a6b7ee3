import { tokensAt } from './chat-tokens.ts';

export interface ShortenedText {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

const between = '\n\n[…]\n\n';
const betweenTokens = 8;
/** Of a long paste the beginning says what it is, and the question often stands at its end. */
const shareOfFirst = 2 / 3;

/** The beginning and the end of a text, as much as the tokens allow. */
export function shortenText(text: string, maxTokens: number): ShortenedText {
  const room = Math.max(0, maxTokens - betweenTokens);
  let first = 0;
  for (let spent = tokensAt(text, 0); spent <= room * shareOfFirst && first < text.length;) {
    first += 1;
    spent += tokensAt(text, first);
  }
  let start = text.length;
  for (
    let spent = tokensAt(text, start - 1);
    spent <= room * (1 - shareOfFirst) && start > first;
  ) {
    start -= 1;
    spent += tokensAt(text, start - 1);
  }
  // Half a letter of two units would be no letter.
  if (isLater(text, first)) first -= 1;
  if (isLater(text, start)) start += 1;
  return {
    text: `${text.slice(0, first)}${between}${text.slice(start)}`,
    first,
    last: text.length - start,
  };
}

function isLater(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc_00 && code <= 0xdf_ff;
}
