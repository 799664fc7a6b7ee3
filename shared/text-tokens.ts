/**
 * Estimates the tokens of a text, rather too many than too few: a history that is longer than estimated ends the session,
 * while with a shorter one the model only gets fewer turns.
 */
export function estimateTextTokens(text: string): number {
  let tokens = 0;
  for (let index = 0; index < text.length; index += 1) tokens += tokensAt(text, index);
  return Math.ceil(tokens);
}

/** The tokens of a character. A token is several characters of Latin text, or one of Chinese. */
function tokensAt(text: string, index: number): number {
  return text.charCodeAt(index) < 0x80 ? 0.3 : 1;
}

export interface ShortenedText {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

const omissionMark = '\n\n[…]\n\n';
const omissionTokens = 8;
/** The start of a long paste shows what it is, and the question is often at its end. */
const beginningShare = 2 / 3;

/** Keeps the beginning and the end of a text, up to the token limit. */
export function shortenText(text: string, maxTokens: number): ShortenedText {
  const maxTextTokens = Math.max(0, maxTokens - omissionTokens);
  let first = 0;
  for (
    let spent = tokensAt(text, 0);
    spent <= maxTextTokens * beginningShare && first < text.length;
  ) {
    first += 1;
    spent += tokensAt(text, first);
  }
  let start = text.length;
  for (
    let spent = tokensAt(text, start - 1);
    spent <= maxTextTokens * (1 - beginningShare) && start > first;
  ) {
    start -= 1;
    spent += tokensAt(text, start - 1);
  }
  // Avoids splitting a surrogate pair.
  if (isLowSurrogate(text, first)) first -= 1;
  if (isLowSurrogate(text, start)) start += 1;
  return {
    text: `${text.slice(0, first)}${omissionMark}${text.slice(start)}`,
    first,
    last: text.length - start,
  };
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc_00 && code <= 0xdf_ff;
}
