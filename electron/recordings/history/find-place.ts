import { foldText } from '../../../shared/fold-text.ts';
import type { FoundPlace } from '../../../shared/recordings/history-item.ts';

/** A text that was looked through, and where it stands. */
export interface PlacedText {
  readonly text: string;
  readonly turn?: number | undefined;
  readonly chatTurn?: string | undefined;
}

const before = 24;
const length = 140;
/** Of a text that somebody has made by hand; what is behind is found and not shown. */
const maxLooked = 200_000;

/** The first place where one of the folded words stands; nothing where none does. */
export function findPlace(texts: readonly PlacedText[], words: readonly string[]): FoundPlace {
  for (const { text, turn, chatTurn } of texts) {
    const at = firstOf(text.slice(0, maxLooked), words);
    if (at !== undefined) return { ...excerptAround(text, at, words), turn, chatTurn };
  }
  return { excerpt: '', marks: [] };
}

/** Whether each of the folded words stands somewhere; of no words at all none does. */
export function holdsWords(texts: readonly PlacedText[], words: readonly string[]): boolean {
  const folded = texts.map(({ text }) => foldText(text));
  return (
    words.length > 0 && words.every((word) => folded.some((text) => beginOf(text, word, 0) !== -1))
  );
}

/** The text around a place in one line, with `…` where it is cut. */
function excerptAround(
  text: string,
  at: number,
  words: readonly string[],
): Pick<FoundPlace, 'excerpt' | 'marks'> {
  const from = Math.max(0, at - before);
  const line = text
    .slice(from, at + length)
    .replaceAll(/\p{Surrogate}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const excerpt = `${from > 0 ? '…' : ''}${line}${at + length < text.length ? '…' : ''}`;
  return { excerpt, marks: marksIn(excerpt, words) };
}

function marksIn(text: string, words: readonly string[]): FoundPlace['marks'] {
  const { folded, places } = foldWithPlaces(text);
  const marks: { from: number; to: number }[] = [];
  for (const word of words) {
    for (let at = beginOf(folded, word, 0); at !== -1; at = beginOf(folded, word, at + 1))
      marks.push({ from: places[at] ?? 0, to: places[at + word.length] ?? text.length });
  }
  return withoutOverlap(marks.toSorted((one, other) => one.from - other.from));
}

function withoutOverlap(marks: FoundPlace['marks']): FoundPlace['marks'] {
  const apart: { from: number; to: number }[] = [];
  for (const { from, to } of marks) {
    const last = apart.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else apart.push({ from, to });
  }
  return apart;
}

function firstOf(text: string, words: readonly string[]): number | undefined {
  const folded = foldText(text);
  const found = words.map((word) => beginOf(folded, word, 0)).filter((at) => at !== -1);
  if (found.length === 0) return undefined;
  const first = Math.min(...found);
  // Nearly always folding keeps the length; else the place is found letter by letter.
  return folded.length === text.length ? first : foldWithPlaces(text).places[first];
}

const letter = /[\p{L}\p{N}]/u;
const close = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Where a word begins with it: within a word only in a script that writes no blanks. */
function beginOf(folded: string, word: string, from: number): number {
  for (let at = folded.indexOf(word, from); at !== -1; at = folded.indexOf(word, at + 1)) {
    const previous = folded[at - 1] ?? ' ';
    if (close.test(word) || close.test(previous) || !letter.test(previous)) return at;
  }
  return -1;
}

function foldWithPlaces(text: string) {
  let folded = '';
  let place = 0;
  const places: number[] = [];
  for (const each of text) {
    const piece = foldText(each);
    for (let unit = 0; unit < piece.length; unit += 1) places.push(place);
    folded += piece;
    place += each.length;
  }
  places.push(place);
  return { folded, places };
}

const maxLetters = 80;

/** How something begins, in one line. */
export function firstWordsOf(texts: Iterable<string>): string {
  for (const text of texts) {
    const line = text
      .slice(0, 4 * maxLetters)
      .replaceAll(/\s+/gu, ' ')
      .trim();
    if (line === '') continue;
    if (line.length <= maxLetters) return line;
    // Half a letter of two units would be no letter.
    return `${line.slice(0, maxLetters).replace(/\p{Surrogate}$/u, '')}…`;
  }
  return '';
}
