import type { Failure, Outcome } from '../../../shared/errors/app-error.ts';
import {
  type FoundPlace,
  type HistoryFilter,
  type HistoryHit,
  type HistoryItem,
  historyKey,
  type HistoryKind,
  type HistoryPage,
  type HistoryRef,
} from '../../../shared/recordings/history-item.ts';
import {
  type HistoryDocument,
  type HistoryIndex,
  type HistorySource,
  type IndexPage,
  type IndexQuery,
  splitQuery,
  toIndexMatch,
} from './history-index.ts';
import type { IndexSync } from './index-sync.ts';

interface Deps {
  readonly sources: readonly HistorySource[];
  readonly index: HistoryIndex;
  readonly sync: IndexSync;
  readonly tapes: () => Promise<ReadonlySet<string>>;
  readonly runningId: () => string | undefined;
  readonly wallNow: () => number;
}

interface Part {
  readonly skip: number;
  readonly count: number;
  readonly filter: HistoryFilter;
}

/**
 * A talk without an end counts as running in another instance if it was saved this recently, otherwise as cut. A running
 * talk is saved 1.5 s after each change.
 */
const recentWriteMs = 10_000;

/** How many hits a search for a model looks through. */
const maxSearched = 200;

const noPlace: FoundPlace = { excerpt: '', marks: [] };

/** Lists and searches the history, and reads its items. */
export class HistoryLibrary {
  readonly #deps: Deps;
  /** By key: stops watching the page that withholds the item. */
  readonly #withheld = new Map<string, () => void>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Lists still have a withheld item, because the user can undo its deletion. A page that crashes deletes nothing, so
   * the item is free when its page is gone.
   */
  withhold(
    refs: readonly HistoryRef[],
    withheld: boolean,
    whenPageGone: (run: () => void) => () => void,
  ): void {
    for (const key of refs.map(historyKey)) {
      this.#withheld.get(key)?.();
      this.#withheld.delete(key);
      if (!withheld) continue;
      this.#withheld.set(key, () => undefined);
      const stop = whenPageGone(() => this.#withheld.delete(key));
      if (this.#withheld.has(key)) this.#withheld.set(key, stop);
    }
  }

  /** Whether no model may get this item. */
  isWithheld(ref: HistoryRef): boolean {
    return this.#withheld.has(historyKey(ref));
  }

  async list(part: Part): Promise<Outcome<HistoryPage>> {
    const found = await this.#find(part, undefined, undefined);
    if (!found.ok) return found;
    const { items, total } = found.value;
    return { ok: true, value: { entries: items, total, complete: this.#deps.sync.complete } };
  }

  async search(query: string, part: Part): Promise<Outcome<HistoryPage<HistoryHit>>> {
    const match = toIndexMatch(query);
    if (match === undefined) return { ok: true, value: { entries: [], total: 0, complete: true } };
    const found = await this.#find(part, match, splitQuery(query));
    if (!found.ok) return found;
    const { items, places = [], total } = found.value;
    const entries = items.map((item, at) => ({ item, place: places[at] ?? noPlace }));
    return { ok: true, value: { entries, total, complete: this.#deps.sync.complete } };
  }

  /** Searches for a model. Withheld items do not take the place of others. */
  async searchAllowed(query: string, count: number): Promise<Outcome<readonly HistoryHit[]>> {
    const searched = Math.min(count + this.#withheld.size, maxSearched);
    const found = await this.search(query, { skip: 0, count: searched, filter: {} });
    if (!found.ok) return found;
    const allowed = found.value.entries.filter(({ item }) => !this.isWithheld(item));
    return { ok: true, value: allowed.slice(0, count) };
  }

  /** Scans all folders, for callers that list only once. */
  scan(): Promise<void> {
    return this.#deps.sync.rescan();
  }

  read({ kind, id }: HistoryRef): Promise<Outcome<HistoryDocument>> {
    return this.#source(kind).read(id);
  }

  pathOf({ kind, id }: HistoryRef): string {
    return this.#source(kind).pathOf(id);
  }

  async #find(
    { skip, count, filter: { tape, ...filter } }: Part,
    match: string | undefined,
    placeWords: readonly string[] | undefined,
  ): Promise<Outcome<IndexPage>> {
    const { sync, tapes } = this.#deps;
    await sync.ensureScanned(filter.kind);
    const taped = await tapes();
    const query = {
      match,
      placeWords,
      filter,
      skip,
      count,
      talks: tape === true ? [...taped] : undefined,
    };
    const found = await this.#ask(query);
    if (!found.ok) return found;
    const items = found.value.items.map((item) => this.#withLiveState(item, taped));
    return { ok: true, value: { ...found.value, items } };
  }

  /** Asks the index. If that fails, rescans the folders and asks once more. */
  async #ask(query: IndexQuery): Promise<Outcome<IndexPage>> {
    const { index, sync } = this.#deps;
    const found = await index.find(query);
    if (found.ok) return found;
    await sync.rescan();
    return index.find(query);
  }

  #withLiveState(item: HistoryItem, taped: ReadonlySet<string>): HistoryItem {
    if (item.kind === 'chat') return item;
    const { runningId, wallNow } = this.#deps;
    const writtenAt = item.at + item.seconds * 1000;
    // The absolute difference also covers a clock that was set back.
    const isRunning =
      item.ending === 'cut' &&
      (item.id === runningId() || Math.abs(wallNow() - writtenAt) < recentWriteMs);
    return {
      ...item,
      tape: taped.has(item.id),
      ending: isRunning ? 'running' : item.ending,
    };
  }

  #source(kind: HistoryRef['kind']): HistorySource {
    const source = this.#deps.sources.find((each) => each.kind === kind);
    if (source === undefined) throw new Error(`unknown history kind: ${kind}`);
    return source;
  }
}

export interface HistoryChanger {
  readonly rename: (id: string, title: string) => Promise<Outcome<undefined>>;
  readonly pin: (id: string, pinned: boolean) => Promise<Outcome<undefined>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
}

/** Renames, pins and deletes stored talks and conversations, and updates the index. */
export class HistoryEditor {
  readonly #changers: Readonly<Record<HistoryKind, HistoryChanger>>;
  readonly #sync: Pick<IndexSync, 'update' | 'forget'>;

  constructor(
    changers: Readonly<Record<HistoryKind, HistoryChanger>>,
    sync: Pick<IndexSync, 'update' | 'forget'>,
  ) {
    this.#changers = changers;
    this.#sync = sync;
  }

  rename(ref: HistoryRef, title: string): Promise<Outcome<undefined>> {
    return this.#change(ref, ({ rename }) => rename(ref.id, title.trim()));
  }

  pin(ref: HistoryRef, pinned: boolean): Promise<Outcome<undefined>> {
    return this.#change(ref, ({ pin }) => pin(ref.id, pinned));
  }

  /** Deletes for good: first the folders, then the index entries. A failure does not stop the others. */
  async remove(refs: readonly HistoryRef[]): Promise<Outcome<undefined>> {
    const removed: HistoryRef[] = [];
    let failed: Failure | undefined;
    for (const { kind, id } of refs) {
      const outcome = await this.#changers[kind].remove(id);
      if (outcome.ok) removed.push({ kind, id });
      else failed ??= outcome;
    }
    const forgotten = await this.#sync.forget(removed);
    return failed ?? forgotten;
  }

  async #change(
    { kind, id }: HistoryRef,
    change: (changer: HistoryChanger) => Promise<Outcome<undefined>>,
  ): Promise<Outcome<undefined>> {
    const changed = await change(this.#changers[kind]);
    if (changed.ok) await this.#sync.update({ kind, id });
    return changed;
  }
}
