import type { PlacedText } from '../../shared/history/find-place.ts';
import type {
  FoundPlace,
  HistoryFilter,
  HistoryItem,
  HistoryRef,
} from '../../shared/history/history-item.ts';
import type { Outcome } from './outcome.ts';

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
