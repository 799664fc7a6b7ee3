import type { AppError } from '../../shared/errors/app-error.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import type { Ask, Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import {
  type HistoryEntry,
  historyFilters,
  historyKey,
  type HistoryShow,
  type HistoryUiState,
  type ListedHistory,
} from './history-ui-state.ts';

const searchAfterMs = 150;
const recentTalks = 3;

interface Deps {
  readonly store: Store<UiState>;
  readonly request: Bridge['request'];
  /** For what is said outside of History. */
  readonly attempt: Ask;
  /** In Chat, where a turn of it is looked for. */
  readonly openChat: (id: string, turn: string | undefined) => Promise<void>;
}

/** What a person can do with talks and written conversations that are kept. */
export function createHistoryActions({ store, request, attempt, openChat }: Deps) {
  const history = (): HistoryUiState => store.getState().history;
  const change = (part: Partial<HistoryUiState>): void =>
    store.setState({ history: { ...history(), ...part } });
  const pages = new HistoryPages({
    request,
    history,
    listed: (listed) => change({ listed }),
    failed: (problem) => change({ problem }),
  });
  let searching: ReturnType<typeof setTimeout> | undefined;

  const ask = async (...[name, input]: Parameters<Bridge['request']>): Promise<void> => {
    const reply = await request(name, input);
    change({ problem: reply.ok ? undefined : reply.error });
  };
  const readSizes = async (): Promise<void> => {
    const reply = await request('historySizes', undefined);
    if (reply.ok) change({ sizes: reply.value });
  };
  const readTalk = async (id: string): Promise<void> => {
    const reply = await request('talkRecord', { id });
    const { opened } = history();
    if (opened?.id !== id) return;
    if (reply.ok) change({ opened: { ...opened, talk: reply.value, error: undefined } });
    else change({ opened: { ...opened, talk: undefined, error: reply.error } });
  };
  const openTalk = async (id: string, turn?: number): Promise<void> => {
    const { opened } = history();
    const talk = opened?.id === id ? opened.talk : undefined;
    change({ opened: { id, turn, talk, error: undefined } });
    await readTalk(id);
  };
  const refresh = async (): Promise<void> => {
    const { opened } = history();
    if (opened !== undefined) void readTalk(opened.id);
    void readSizes();
    await pages.refresh();
  };

  return {
    refresh,
    readRecent: async (): Promise<void> => {
      const reply = await request('history', {
        skip: 0,
        count: recentTalks,
        filter: { kind: 'talk' },
      });
      change({ recent: reply.ok ? reply.value.entries : (history().recent ?? []) });
    },
    /** The row that was scrolled to: what follows is read before one comes there. */
    seen: (index: number) => pages.seen(index),
    search: (query: string) => {
      clearTimeout(searching);
      change({ query });
      if (query.trim() === '') void pages.begin();
      else searching = setTimeout(() => void pages.begin(), searchAfterMs);
    },
    setShow: (show: HistoryShow) => {
      change({ show });
      void pages.begin();
    },
    open: async ({ item, place }: HistoryEntry): Promise<void> => {
      if (item.kind === 'chat') await openChat(item.id, place?.chatTurn);
      else await openTalk(item.id, place?.turn);
    },
    openTalk,
    /** From anywhere: one talk, in the place where all are. */
    show: (id: string) => {
      store.setState({ screen: 'history' });
      void openTalk(id);
    },
    close: () => change({ opened: undefined }),
    rename: ({ kind, id }: HistoryRef, title: string) => ask('renameHistory', { kind, id, title }),
    pin: ({ kind, id }: HistoryRef, pinned: boolean) => ask('pinHistory', { kind, id, pinned }),
    /** The person's own words of a talk; none at all take them out. */
    correctWords: async (talk: string, at: number, text: string): Promise<void> => {
      await ask('correctOwnWords', { talk, at, text });
      await readTalk(talk);
    },
    /** From its tape, by its own server. */
    writeWords: async (talk: string): Promise<void> => {
      await ask('writeTapeWords', { talk });
      await readTalk(talk);
    },
    remove: async (list: readonly HistoryRef[], tapes: boolean): Promise<void> => {
      const { opened } = history();
      const refs = list.map(({ kind, id }) => ({ kind, id }));
      if (refs.some(({ kind, id }) => kind === 'talk' && id === opened?.id))
        change({ opened: undefined });
      change({ chosen: undefined });
      await ask('removeHistory', { list: refs, tapes });
    },
    choose: (refs: readonly HistoryRef[] | undefined) =>
      change({ chosen: refs && new Set(refs.map(historyKey)) }),
    /** Also those that nobody has scrolled to. */
    chooseAll: async (): Promise<void> => {
      await pages.whole();
      const { listed, chosen } = history();
      if (chosen === undefined) return;
      change({ chosen: new Set(listed?.entries.map(({ item }) => historyKey(item))) });
    },
    toggle: (ref: HistoryRef) => {
      const chosen = new Set(history().chosen);
      if (!chosen.delete(historyKey(ref))) chosen.add(historyKey(ref));
      change({ chosen });
    },
    /** Where the host has nothing to show a folder in, it is said where it is. */
    showFolder: async (ref?: HistoryRef): Promise<void> => {
      const named = ref && { kind: ref.kind, id: ref.id };
      const reply = await request('showHistory', { ref: named });
      if (!reply.ok) change({ problem: reply.error });
      else change({ folder: reply.value.opened ? undefined : reply.value.path });
    },
    dismiss: () => change({ problem: undefined, folder: undefined }),
    /** Nothing where it cannot be had; its place says so. */
    picture: async (id: string, file: string): Promise<Uint8Array | undefined> => {
      const reply = await request('talkPicture', { id, file });
      return reply.ok ? reply.value.jpeg : undefined;
    },
    keepTalk: (keep: boolean) => attempt('keepTalk', { keep }),
    keepRecent: () => attempt('keepRecent', undefined),
    setIncognito: (on: boolean) => attempt('setIncognito', { on }),
  };
}

/** As many as the core gives at once. */
const page = 200;
/** So many rows before the end of what is there, more is asked for. */
const ahead = 60;

interface HistoryPagesDeps {
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
  readonly #deps: HistoryPagesDeps;
  /** Counts what was asked for. */
  #asked = 0;
  #reads: 'no' | 'yes' | 'again' = 'no';
  #furthest = 0;

  constructor(deps: HistoryPagesDeps) {
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
    const part = { skip, count: page, filter: historyFilters[show] };
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
