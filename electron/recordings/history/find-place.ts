import { foldText, toOneLine } from '../../../shared/text.ts';
import type { FoundPlace } from '../../../shared/recordings/history-item.ts';

export interface PlacedText {
  readonly text: string;
  readonly turn?: number | undefined;
  readonly chatTurn?: string | undefined;
}

const contextBefore = 24;
const excerptLength = 140;
/** In characters of a text. Words after this are found, but have no excerpt. */
const maxSearched = 200_000;

/** Finds the first occurrence of any of the folded words, with an excerpt. Without an occurrence the excerpt is empty. */
export function findPlace(texts: readonly PlacedText[], words: readonly string[]): FoundPlace {
  for (const { text, turn, chatTurn } of texts) {
    const at = firstMatch(text.slice(0, maxSearched), words);
    if (at !== undefined) return { ...excerptAround(text, at, words), turn, chatTurn };
  }
  return { excerpt: '', marks: [] };
}

/** Whether every folded word occurs; false without words. */
export function containsWords(texts: readonly PlacedText[], words: readonly string[]): boolean {
  const folded = texts.map(({ text }) => foldText(text));
  return (
    words.length > 0 &&
    words.every((word) => folded.some((text) => indexOfWord(text, word, 0) !== -1))
  );
}

/** One line of text around a match; `…` marks cuts. */
function excerptAround(
  text: string,
  at: number,
  words: readonly string[],
): Pick<FoundPlace, 'excerpt' | 'marks'> {
  const from = Math.max(0, at - contextBefore);
  const line = toOneLine(text.slice(from, at + excerptLength).replaceAll(/\p{Surrogate}/gu, ''));
  const excerpt = `${from > 0 ? '…' : ''}${line}${at + excerptLength < text.length ? '…' : ''}`;
  return { excerpt, marks: marksIn(excerpt, words) };
}

function marksIn(text: string, words: readonly string[]): FoundPlace['marks'] {
  const { folded, positions } = foldWithPositions(text);
  const marks: { from: number; to: number }[] = [];
  for (const word of words) {
    for (let at = indexOfWord(folded, word, 0); at !== -1; at = indexOfWord(folded, word, at + 1))
      marks.push({ from: positions[at] ?? 0, to: positions[at + word.length] ?? text.length });
  }
  return withoutOverlap(marks.toSorted((one, other) => one.from - other.from));
}

function withoutOverlap(marks: FoundPlace['marks']): FoundPlace['marks'] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of marks) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

function firstMatch(text: string, words: readonly string[]): number | undefined {
  const folded = foldText(text);
  const found = words.map((word) => indexOfWord(folded, word, 0)).filter((at) => at !== -1);
  if (found.length === 0) return undefined;
  const first = Math.min(...found);
  // If folding kept the length, positions agree; otherwise they are mapped character by character.
  return folded.length === text.length ? first : foldWithPositions(text).positions[first];
}

const letterOrNumber = /[\p{L}\p{N}]/u;
const unspacedScript =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Next position where a word starts with this one. Scripts without spaces match within words. */
function indexOfWord(folded: string, word: string, from: number): number {
  for (let at = folded.indexOf(word, from); at !== -1; at = folded.indexOf(word, at + 1)) {
    const previous = folded[at - 1] ?? ' ';
    if (
      unspacedScript.test(word) ||
      unspacedScript.test(previous) ||
      !letterOrNumber.test(previous)
    )
      return at;
  }
  return -1;
}

function foldWithPositions(text: string) {
  let folded = '';
  let position = 0;
  const positions: number[] = [];
  for (const each of text) {
    const piece = foldText(each);
    for (let unit = 0; unit < piece.length; unit += 1) positions.push(position);
    folded += piece;
    position += each.length;
  }
  positions.push(position);
  return { folded, positions };
}

const maxCharacters = 80;

/** The first text that is not blank, on one line and shortened. */
export function firstWords(texts: Iterable<string>): string {
  for (const text of texts) {
    const line = toOneLine(text.slice(0, 4 * maxCharacters));
    if (line === '') continue;
    if (line.length <= maxCharacters) return line;
    // Drops half of a surrogate pair.
    return `${line.slice(0, maxCharacters).replace(/\p{Surrogate}$/u, '')}…`;
  }
  return '';
}
