import type { Outcome } from '../../../shared/errors/app-error.ts';
import { foldText } from '../../../shared/text.ts';
import type { StoredVersion } from '../../../shared/ports/files.ts';
import type {
  FoundPlace,
  HistoryFilter,
  HistoryItem,
  HistoryKind,
  HistoryRef,
} from '../../../shared/recordings/history-item.ts';
import type { PlacedText } from './find-place.ts';

export interface IndexEntry {
  readonly item: HistoryItem;
  /** Version of the stored item that was indexed. If the stored one differs, it must be indexed again. */
  readonly version: string;
  /** Folded index terms, separated by spaces. */
  readonly words: string;
  /** Texts to show excerpts from; the title comes last. */
  readonly texts: readonly PlacedText[];
}

export interface IndexedVersion extends HistoryRef {
  readonly version: string;
}

export interface IndexQuery {
  /** An FTS5 match expression; undefined matches everything. */
  readonly match?: string | undefined;
  readonly filter: Pick<HistoryFilter, 'kind' | 'pinned'>;
  readonly talks?: readonly string[] | undefined;
  /** Folded words; each hit gets the first place of one of them. */
  readonly placeWords?: readonly string[] | undefined;
  readonly skip: number;
  readonly count: number;
}

export interface IndexPage {
  readonly items: readonly HistoryItem[];
  readonly places?: readonly FoundPlace[] | undefined;
  readonly total: number;
}

/**
 * Index of stored talks and chats, for lists and search. It is derived from the folders: if
 * it is damaged, locked or cannot be opened, it starts empty, in memory if necessary.
 */
export interface HistoryIndex {
  readonly known: () => Promise<Outcome<readonly IndexedVersion[]>>;
  readonly put: (entries: readonly IndexEntry[]) => Promise<Outcome<undefined>>;
  /** Removes entries so that none of the index's files still contains their words. */
  readonly remove: (refs: readonly HistoryRef[]) => Promise<Outcome<undefined>>;
  readonly find: (query: IndexQuery) => Promise<Outcome<IndexPage>>;
  /** Deletes everything, the file included. */
  readonly clear: () => Promise<Outcome<undefined>>;
  /** Size of the file; 0 in memory. */
  readonly bytes: () => Promise<Outcome<number>>;
  readonly close: () => Promise<void>;
}

export interface HistoryDocument {
  readonly item: HistoryItem;
  readonly version: string;
  /** All text except the title. */
  readonly texts: readonly PlacedText[];
}

/** Storage of one kind of item. The folders are the source of truth; the index follows them. */
export interface HistorySource {
  readonly kind: HistoryKind;
  readonly list: () => Promise<Outcome<readonly StoredVersion[]>>;
  readonly read: (id: string) => Promise<Outcome<HistoryDocument>>;
  readonly pathOf: (id: string) => string;
}

/** Scripts without spaces are indexed as overlapping pairs of characters. */
const wordPattern =
  /(?<unspaced>[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]+)|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{N}])+/gu;

/** Characters processed per step; a step takes a few milliseconds. */
const charactersPerStep = 32_768;

/** Folds a text into index terms. Yields after each step, so that other work can run. */
export function* indexWordSteps(text: string): Generator<undefined, string> {
  let folded = '';
  for (const part of splitSteps(text)) {
    folded += foldText(part);
    yield;
  }
  const words: string[] = [];
  let yieldedAt = 0;
  for (const { index, 0: word, groups } of folded.matchAll(wordPattern)) {
    if (groups?.['unspaced'] === undefined) words.push(word);
    else yield* addPairs(words, word);
    if (index - yieldedAt < charactersPerStep) continue;
    yieldedAt = index;
    yield;
  }
  return words.join(' ');
}

/** Adds the pairs of a run without spaces, and yields after each step. */
function* addPairs(words: string[], word: string): Generator<undefined, void> {
  let before = '';
  let remaining = word.length;
  for (const part of splitSteps(word)) {
    remaining -= part.length;
    // A pair across two parts belongs to the second part.
    for (const pair of characterPairs(before + part, remaining === 0)) words.push(pair);
    if (remaining === 0) return;
    before = Array.from(part.slice(-2)).at(-1) ?? '';
    yield;
  }
}

function* splitSteps(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    const to = from + charactersPerStep;
    // Keeps surrogate pairs together.
    const end = /^[\uDC00-\uDFFF]/u.test(text.charAt(to)) ? to - 1 : to;
    yield text.slice(from, end);
    from = end;
  }
}

/** Builds the match expression of a query; undefined if it has no letter or digit. */
export function toIndexMatch(query: string): string | undefined {
  const terms = splitRuns(query).map(({ unspaced, word }) => {
    const pairs = unspaced ? characterPairs(word) : [word];
    const isWhole = unspaced && pairs.join('') !== word;
    return `"${pairs.join(' ')}"${isWhole ? '' : '*'}`;
  });
  return terms.length === 0 ? undefined : terms.join(' AND ');
}

export function splitQuery(query: string): readonly string[] {
  return splitRuns(query).map(({ word }) => word);
}

interface Run {
  readonly word: string;
  readonly unspaced: boolean;
}

function splitRuns(text: string): readonly Run[] {
  return [...foldText(text).matchAll(wordPattern)].map(([word, unspaced]) => ({
    word,
    unspaced: unspaced !== undefined,
  }));
}

/** Overlapping pairs of characters. `withLast` adds the last character alone, so that a search for it succeeds. */
export function characterPairs(word: string, withLast = false): readonly string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return characters;
  const pairs = characters
    .slice(1)
    .map((character, index) => `${characters[index] ?? ''}${character}`);
  return withLast ? [...pairs, characters.at(-1) ?? ''] : pairs;
}

/** The local date and time, such as `2026-11-29 14:05`. */
export function formatLocalTime(time: number): string {
  const at = new Date(time);
  const [year, ...others] = [
    at.getFullYear(),
    at.getMonth() + 1,
    at.getDate(),
    at.getHours(),
    at.getMinutes(),
  ];
  const [month, day, hours, minutes] = others.map((part) => String(part).padStart(2, '0'));
  return `${year}-${month}-${day} ${hours}:${minutes}`;
}
