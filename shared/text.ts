/**
 * Control characters, bidirectional embeddings, overrides and isolates, and unusual line breaks. Tabs and line feeds are
 * not included.
 */
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

/** Sanitises text to one line of at most `maxLength` characters, and an ellipsis if it was longer. */
export function sanitizeLine(text: string, maxLength = Infinity): string {
  // Cut first, because a server can send megabytes as a name.
  const bounded = text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text;
  const line = stripControlCharacters(bounded.replaceAll(/\s+/gu, ' '));
  return line.length > maxLength ? `${truncateText(line, maxLength)}…` : line;
}

/** Replaces line breaks and repeated spaces by one space, and removes spaces at both ends. */
export function toOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** Serialises to one line of JSON in which control characters are escaped. */
export function toSafeJson(value: object): string {
  return JSON.stringify(value).replaceAll(controlCharacters, escapeUnits);
}

/** Characters that nobody sees. Joiners and the emoji selector are not included, because scripts and emoji need them. */
const hiddenCharacters = /(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Escapes what is hidden or reorders the visible text, so that a reader sees what a program gets. */
export function showHidden(text: string): string {
  return text.replaceAll(controlCharacters, escapeUnits).replaceAll(hiddenCharacters, escapeUnits);
}

function escapeUnits(text: string): string {
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('');
}

/** Cuts a text, but not within a surrogate pair. */
function truncateText(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  // By index, because a message can have millions of characters, and to iterate over them takes much longer.
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    bytes += 1 + Number(code > 0x7f) + Number(code > 0x7ff) + Number(code > 0xffff);
    at += 1 + Number(code > 0xffff);
  }
  return bytes;
}

/** Normalises text for search: ignores case, accents and full-width forms. */
export function foldText(text: string): string {
  const unmarked = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
  // A final sigma has a different lower-case letter.
  return unmarked.toLowerCase().replaceAll('ς', 'σ');
}

/** Splits a search query into normalised words. */
export function searchWords(query: string): readonly string[] {
  return foldText(query).split(/\s+/u).filter(Boolean);
}

/** Sentence-ending punctuation in English and Chinese, with closing quotes and brackets. */
const sentenceEnd = `[.!?。！？…]["'”’）)]*`;
const wholeSentence = new RegExp(`${sentenceEnd}(?=\\s|$|\\P{ASCII})`, 'gu');
const sentenceWithSpace = new RegExp(`${sentenceEnd}(?:\\s+|(?=\\P{ASCII}))`, 'gu');
const space = /\s+/gu;

/** The index after the last complete sentence, or 0. */
export function endOfSentences(text: string): number {
  return endOfLast(wholeSentence, text);
}

/** The index to cut at: after the last sentence or else the last word that ends at `minLength` or later, or else at the end. */
export function cutAfterSentence(text: string, minLength: number): number {
  for (const end of [endOfLast(sentenceWithSpace, text), endOfLast(space, text)])
    if (end >= minLength) return end;
  return truncateText(text, text.length).length;
}

/** Joins two parts of a text. Chinese and Japanese have no spaces between phrases. */
export function joinPhrases(text: string, next: string): string {
  const needsSpace =
    text !== '' &&
    next !== '' &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。！？、；：]$/u.test(text);
  return needsSpace ? `${text} ${next}` : text + next;
}

function endOfLast(pattern: RegExp, text: string): number {
  let end = 0;
  for (const { index, 0: match } of text.matchAll(pattern)) end = index + match.length;
  return end;
}

/**
 * Estimates the tokens of a text, more often too high than too low: an underestimated history ends the session, while an
 * overestimated one only leaves out some turns.
 */
export function estimateTokens(text: string): number {
  let thirds = 0;
  for (let index = 0; index < text.length; index += 1) thirds += thirdsAt(text, index);
  return Math.ceil(thirds / 3);
}

/** In thirds of a token: three ASCII characters count as one token, and every other character as one. */
function thirdsAt(text: string, index: number): number {
  return text.charCodeAt(index) < 0x80 ? 1 : 3;
}

/** Ideographs, kana, hangul and their punctuation. A text can be cut before each of them. */
const wideCharacter =
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/u;

/** The end of a text that fits, starting at a word. */
export function lastTextThatFits(text: string, maxTokens: number): string {
  let from = text.length;
  for (let thirds = 0; from > 0; from -= 1) {
    thirds += thirdsAt(text, from - 1);
    if (thirds > maxTokens * 3) break;
  }
  if (isLowSurrogate(text, from)) from += 1;
  const tail = text.slice(from);
  const first = String.fromCodePoint(text.codePointAt(from) ?? 0);
  if (from === 0 || wideCharacter.test(first) || text[from - 1] === ' ') return tail.trim();
  const space = tail.indexOf(' ');
  return space === -1 ? tail.trim() : tail.slice(space + 1).trim();
}

export interface ShortenedText {
  readonly text: string;
  /** The number of characters that were kept at the start and at the end. */
  readonly first: number;
  readonly last: number;
}

const omissionMark = '\n\n[…]\n\n';
const omissionTokens = 8;
/** The start of a long paste shows what it is, and the question is often at its end. */
const beginningShare = 2 / 3;

/** Shortens a text that is over the token limit to its beginning and its end. */
export function shortenText(text: string, maxTokens: number): ShortenedText {
  const maxThirds = 3 * Math.max(0, maxTokens - omissionTokens);
  let first = 0;
  for (let spent = thirdsAt(text, 0); spent <= maxThirds * beginningShare && first < text.length;) {
    first += 1;
    spent += thirdsAt(text, first);
  }
  let start = text.length;
  for (
    let spent = thirdsAt(text, start - 1);
    spent <= maxThirds * (1 - beginningShare) && start > first;
  ) {
    start -= 1;
    spent += thirdsAt(text, start - 1);
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
