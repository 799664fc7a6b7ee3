/**
 * Estimates a text's tokens at the upper end of the normal range: a history that is too long ends the session, and
 * one that is too short only forgets.
 */
export function estimateTextTokens(text: string): number {
  let tokens = 0;
  for (let index = 0; index < text.length; index += 1) tokens += tokensAt(text, index);
  return Math.ceil(tokens);
}

/** Latin text has several characters per token, Chinese one. */
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
/** The start of a long paste says what it is; the question is often at its end. */
const beginningShare = 2 / 3;

/** Keeps the beginning and the end of a text, up to the token limit. */
export function shortenText(text: string, maxTokens: number): ShortenedText {
  const room = Math.max(0, maxTokens - omissionTokens);
  let first = 0;
  for (let spent = tokensAt(text, 0); spent <= room * beginningShare && first < text.length;) {
    first += 1;
    spent += tokensAt(text, first);
  }
  let start = text.length;
  for (
    let spent = tokensAt(text, start - 1);
    spent <= room * (1 - beginningShare) && start > first;
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
