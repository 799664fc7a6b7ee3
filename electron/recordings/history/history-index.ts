import type { Outcome } from '../../../shared/errors/app-error.ts';
import { foldText } from '../../../shared/fold-text.ts';
import type { StoredVersion } from '../../../shared/ports/files.ts';
import type {
  FoundPlace,
  HistoryFilter,
  HistoryItem,
  HistoryKind,
  HistoryRef,
} from '../../../shared/recordings/history-item.ts';
import type { PlacedText } from './find-place.ts';

/** One of the history as the index knows it. */
export interface IndexEntry {
  readonly item: HistoryItem;
  /** Of what was read; another one is to be read again. */
  readonly version: string;
  /** Folded and parted into what is looked for, blanks between. */
  readonly words: string;
  /** What was said, and its title last: a hit is shown with the place where a word stands. */
  readonly texts: readonly PlacedText[];
}

export interface IndexedVersion extends HistoryRef {
  readonly version: string;
}

export interface IndexQuery {
  /** In the language of the index; everything where there is none. */
  readonly match?: string | undefined;
  readonly filter: Pick<HistoryFilter, 'kind' | 'pinned'>;
  /** Talks of these ids only. */
  readonly talks?: readonly string[] | undefined;
  /** Folded words, whose first place is told of each one that is found. */
  readonly placesOf?: readonly string[] | undefined;
  readonly skip: number;
  readonly count: number;
}

export interface IndexPage {
  readonly items: readonly HistoryItem[];
  /** As many as items, where they were asked for. */
  readonly places?: readonly FoundPlace[] | undefined;
  readonly total: number;
}

/**
 * What is kept, for lists and for search. It is made from the folders and can be made again at any time: where it cannot
 * be opened, is damaged or belongs to another Parley, it begins empty, in memory if nowhere else.
 */
export interface HistoryIndex {
  readonly known: () => Promise<Outcome<readonly IndexedVersion[]>>;
  readonly put: (entries: readonly IndexEntry[]) => Promise<Outcome<undefined>>;
  /** Nothing of their words stays in any file. */
  readonly remove: (refs: readonly HistoryRef[]) => Promise<Outcome<undefined>>;
  /** The newest first. */
  readonly find: (query: IndexQuery) => Promise<Outcome<IndexPage>>;
  /** Empties it, its files with it. */
  readonly clear: () => Promise<Outcome<undefined>>;
  /** The file that it stands in has so many bytes; none in memory. */
  readonly bytes: () => Promise<Outcome<number>>;
  readonly close: () => Promise<void>;
}

/** One of the history, read from its folder. */
export interface HistoryDocument {
  readonly item: HistoryItem;
  readonly version: string;
  /** Everything that was said in words, title excepted. */
  readonly texts: readonly PlacedText[];
}

/** Where one kind of the history is kept: the folders are the truth, and the index follows them. */
export interface HistorySource {
  readonly kind: HistoryKind;
  readonly list: () => Promise<Outcome<readonly StoredVersion[]>>;
  readonly read: (id: string) => Promise<Outcome<HistoryDocument>>;
  /** Its own folder. */
  readonly placeOf: (id: string) => string;
}

/** Scripts that write no blanks between words: each two letters that follow each other are one word of the index. */
const run =
  /(?<close>[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]+)|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{N}])+/gu;

/** So many letters are folded and parted within a few milliseconds. */
const step = 32_768;

/** A text as the index takes it: its words folded, blanks between. After each step others may have their turn. */
export function* indexWordSteps(text: string): Generator<undefined, string> {
  let folded = '';
  for (const part of partsOf(text)) {
    folded += foldText(part);
    yield;
  }
  const words: string[] = [];
  let done = 0;
  for (const { index, 0: word, groups } of folded.matchAll(run)) {
    if (groups?.['close'] === undefined) words.push(word);
    else yield* addPairs(words, word);
    if (index - done < step) continue;
    done = index;
    yield;
  }
  return words.join(' ');
}

/** Of pages without a blank, too. */
function* addPairs(words: string[], word: string): Generator<undefined, void> {
  let before = '';
  let left = word.length;
  for (const part of partsOf(word)) {
    left -= part.length;
    // The pair that stands across two parts belongs to the second.
    for (const pair of pairsIn(before + part, left === 0)) words.push(pair);
    if (left === 0) return;
    before = Array.from(part.slice(-2)).at(-1) ?? '';
    yield;
  }
}

function* partsOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    const to = from + step;
    // Half a letter of two units would be another one.
    const end = /^[\uDC00-\uDFFF]/u.test(text.charAt(to)) ? to - 1 : to;
    yield text.slice(from, end);
    from = end;
  }
}

/** What is looked for, in the language of the index; nothing where the query has no letter and no digit. */
export function indexMatchOf(query: string): string | undefined {
  const terms = runsIn(query).map(({ close, word }) => {
    const pairs = close ? pairsIn(word, false) : [word];
    const isWhole = close && pairs.join('') !== word;
    return `"${pairs.join(' ')}"${isWhole ? '' : '*'}`;
  });
  return terms.length === 0 ? undefined : terms.join(' AND ');
}

/** The words of a query, folded, to be found in a text. */
export function queryWordsOf(query: string): readonly string[] {
  return runsIn(query).map(({ word }) => word);
}

interface Run {
  readonly word: string;
  /** Of a script without blanks. */
  readonly close: boolean;
}

function runsIn(text: string): readonly Run[] {
  return [...foldText(text).matchAll(run)].map(([word, close]) => ({
    word,
    close: close !== undefined,
  }));
}

/** The last letter begins no pair; on its own it can be found all the same. */
function pairsIn(word: string, withLast: boolean): readonly string[] {
  const letters = Array.from(word);
  if (letters.length === 1) return letters;
  const pairs = letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`);
  return withLast ? [...pairs, letters.at(-1) ?? ''] : pairs;
}
