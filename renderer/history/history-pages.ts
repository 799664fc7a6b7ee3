import type { AppError } from '../../shared/errors/app-error.ts';
import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import {
  type HistoryEntry,
  historyFilterOf,
  historyKey,
  type HistoryUiState,
  type ListedHistory,
} from './history-ui-state.ts';

/** As many as the core gives at once. */
const page = 200;
/** So many rows before the end of what is there, more is asked for. */
const ahead = 60;

interface Deps {
  readonly request: Bridge['request'];
  readonly history: () => HistoryUiState;
  readonly listed: (list: ListedHistory) => void;
  readonly failed: (error: AppError) => void;
}

interface Page {
  readonly entries: readonly HistoryEntry[];
  readonly total: number;
  readonly complete: boolean;
}

/**
 * The list, a page at a time as it is scrolled. Of several things asked for one after the other, only the answer to
 * the last is shown; what changes while it is being read is read once more.
 */
export class HistoryPages {
  readonly #deps: Deps;
  /** Counts what was asked for. */
  #asked = 0;
  #reads: 'no' | 'yes' | 'again' = 'no';
  #furthest = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** From the beginning: other words, or other ones. */
  async begin(): Promise<void> {
    this.#furthest = 0;
    this.#asked += 1;
    await this.#read(this.#asked);
  }

  /** As far as it was looked at. */
  async refresh(): Promise<void> {
    if (this.#reads !== 'no') {
      this.#reads = 'again';
      return;
    }
    do {
      this.#reads = 'yes';
      this.#asked += 1;
      await this.#read(this.#asked);
    } while (this.#isDueAgain);
    this.#reads = 'no';
  }

  /** The row that was scrolled to. */
  async seen(index: number): Promise<void> {
    this.#furthest = index;
    const { listed } = this.#deps.history();
    if (listed === undefined || this.#reads !== 'no') return;
    const { entries, total } = listed;
    if (entries.length >= total || index < entries.length - ahead) return;
    this.#reads = 'yes';
    const asked = this.#asked;
    const next = await this.#page(entries.length);
    const again = this.#isDueAgain;
    this.#reads = 'no';
    if (next !== undefined && asked === this.#asked)
      this.#deps.listed({ ...listed, ...next, entries: joined(entries, next.entries) });
    if (again) await this.refresh();
  }

  /** To the last. */
  async whole(): Promise<void> {
    this.#furthest = this.#deps.history().listed?.total ?? 0;
    await this.refresh();
  }

  get #isDueAgain(): boolean {
    return this.#reads === 'again';
  }

  async #read(asked: number): Promise<void> {
    const { query, show } = this.#deps.history();
    const wanted = this.#furthest + ahead;
    let entries: readonly HistoryEntry[] = [];
    for (;;) {
      const next = await this.#page(entries.length);
      if (next === undefined || asked !== this.#asked) return;
      entries = joined(entries, next.entries);
      if (entries.length < Math.min(wanted, next.total) && next.entries.length > 0) continue;
      this.#deps.listed({ ...next, entries, query, show });
      return;
    }
  }

  async #page(skip: number): Promise<Page | undefined> {
    const { request, history, failed } = this.#deps;
    const { query, show } = history();
    const part = { skip, count: page, filter: historyFilterOf(show) };
    const reply =
      query.trim() === ''
        ? await request('history', part)
        : await request('searchHistory', { ...part, query });
    if (!reply.ok) {
      failed(reply.error);
      return undefined;
    }
    const { entries, total, complete } = reply.value;
    return {
      entries: entries.map((each) => ('item' in each ? each : { item: each })),
      total,
      complete,
    };
  }
}

/** What has moved down since the pages before it were read stands there already. */
function joined(
  before: readonly HistoryEntry[],
  next: readonly HistoryEntry[],
): readonly HistoryEntry[] {
  const known = new Set(before.map(({ item }) => historyKey(item)));
  return [...before, ...next.filter(({ item }) => !known.has(historyKey(item)))];
}
