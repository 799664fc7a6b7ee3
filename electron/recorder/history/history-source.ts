import type { HistoryItem, HistoryKind } from '../../../shared/history/history-item.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { StoredVersion } from '../../ports/talk-store.ts';
import type { PlacedText } from '../../../shared/history/find-place.ts';

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
  readonly rename: (id: string, title: string) => Promise<Outcome<undefined>>;
  readonly pin: (id: string, pinned: boolean) => Promise<Outcome<undefined>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
  /** Its own folder. */
  readonly placeOf: (id: string) => string;
}
