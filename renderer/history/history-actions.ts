import type { AppError } from '../../shared/errors/app-error.ts';
import {
  type FoundPlace,
  historyKey,
  type HistoryRef,
} from '../../shared/recordings/history-item.ts';
import type { Ask, Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import {
  type HistoryEntry,
  historyFilters,
  type HistoryShow,
  type HistoryUiState,
  type ListedHistory,
} from './history-ui-state.ts';

const searchDelayMs = 150;
const recentTalkCount = 3;
/** To measure thousands of entries takes the core a second, so that changes in a row are not all followed by it. */
const sizesEveryMs = 10_000;

interface Deps {
  readonly store: Store<UiState>;
  readonly request: Bridge['request'];
  /** Sends a request whose error is shown outside the History screen. */
  readonly attempt: Ask;
  /** Opens a conversation in Chat, at a turn if one is given. */
  readonly openChat: (id: string, turn: string | undefined) => Promise<void>;
}

interface ListPlace extends Pick<ListedHistory, 'query' | 'show'> {
  readonly row: number;
}

interface UndoableDeletion {
  readonly remove: () => Promise<unknown>;
  readonly restore: () => void;
}

export function createHistoryActions({ store, request, attempt, openChat }: Deps) {
  const history = (): HistoryUiState => store.getState().history;
  const change = (part: Partial<HistoryUiState>): void =>
    store.setState({ history: { ...history(), ...part } });
  const pages = new HistoryPages({
    request,
    history,
    hidden: () => store.getState().removed?.keys,
    onList: (listed) => change({ listed }),
    onError: (problem) => change({ problem }),
  });
  let searching: ReturnType<typeof setTimeout> | undefined;
  /** Where the user scrolled to; not in the store, because no component draws it. */
  let place: ListPlace | undefined;
  /** The first row in view when this list was last on the screen. */
  const placeIn = ({ query, show }: Pick<ListedHistory, 'query' | 'show'>): number =>
    place?.query === query && place.show === show ? place.row : 0;

  const ask = async (...[name, input]: Parameters<Bridge['request']>): Promise<boolean> => {
    const reply = await request(name, input);
    change({ problem: reply.ok ? undefined : reply.error });
    return reply.ok;
  };
  const readSizes = async (): Promise<void> => {
    const reply = await request('historySizes', undefined);
    if (reply.ok) change({ sizes: reply.value });
  };
  let resting: ReturnType<typeof setTimeout> | undefined;
  let areSizesDue = false;
  /** Reads the sizes at once, or after the rest since the last time. */
  const refreshSizes = (): void => {
    areSizesDue = resting !== undefined;
    if (areSizesDue) return;
    void readSizes();
    resting = setTimeout(() => {
      resting = undefined;
      if (areSizesDue && store.getState().screen === 'history') refreshSizes();
    }, sizesEveryMs);
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
    await pages.refresh();
    // Until the list is complete, the core reads every file for it, and would read each again.
    if (history().listed?.complete === true) refreshSizes();
  };

  return {
    refresh,
    readRecent: async (): Promise<void> => {
      const reply = await request('history', {
        skip: 0,
        count: recentTalkCount,
        filter: { kind: 'talk' },
      });
      change({ recent: reply.ok ? reply.value.entries : (history().recent ?? []) });
    },
    /** The list is drawn at its top before it returns to its place, and a refresh at that moment must not shorten it. */
    loadAhead: (index: number) => pages.loadAhead(Math.max(index, placeIn(history()))),
    keepPlace: (at: ListPlace) => {
      place = at;
    },
    placeIn,
    search: (query: string) => {
      clearTimeout(searching);
      change({ query });
      if (query.trim() === '') void pages.begin();
      else searching = setTimeout(() => void pages.begin(), searchDelayMs);
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
    show: (id: string) => {
      store.setState({ screen: 'history' });
      void openTalk(id);
    },
    /** Shows a talk or chat of which only the id is known. */
    openPast: ({ kind, id }: HistoryRef, place: Partial<FoundPlace> = {}) => {
      if (kind === 'chat') void openChat(id, place.chatTurn);
      else {
        store.setState({ screen: 'history' });
        void openTalk(id, place.turn);
      }
    },
    close: () => change({ opened: undefined }),
    rename: ({ kind, id }: HistoryRef, title: string) => ask('renameHistory', { kind, id, title }),
    pin: ({ kind, id }: HistoryRef, pinned: boolean) => ask('pinHistory', { kind, id, pinned }),
    /** Empty text removes the words. False if the core refused the text. */
    correctWords: async (talk: string, at: number, text: string): Promise<boolean> => {
      const isCorrected = await ask('correctUserPhrase', { talk, at, text });
      if (isCorrected) await readTalk(talk);
      return isCorrected;
    },
    /** Transcribes the user's words from the tape, through the talk's own server. */
    writeWords: async (talk: string): Promise<void> => {
      await ask('writeTapeWords', { talk });
      await readTalk(talk);
    },
    remove: async (list: readonly HistoryRef[], tapes: boolean): Promise<void> => {
      const { opened } = history();
      const refs = list.map(({ kind, id }) => ({ kind, id }));
      if (refs.some(({ kind, id }) => kind === 'talk' && id === opened?.id))
        change({ opened: undefined });
      await ask('removeHistory', { list: refs, tapes });
      void readSizes();
    },
    /** The two ends of a deletion that can be undone. Until one of them runs, no model gets the entries. */
    withhold: (list: readonly HistoryRef[], { remove, restore }: UndoableDeletion) => {
      const refs = list.map(({ kind, id }) => ({ kind, id }));
      const send = (withheld: boolean) => attempt('withholdHistory', { list: refs, withheld });
      void send(true);
      return {
        // Ends the withholding also if the deletion failed, because the entries are then listed again.
        remove: async (): Promise<void> => {
          await remove();
          await send(false);
        },
        restore: (): void => {
          void send(false);
          restore();
        },
      };
    },
    choose: (refs: readonly HistoryRef[] | undefined) =>
      change({ selection: refs && new Set(refs.map(historyKey)) }),
    /** Loads the whole list first, because rows that were never scrolled to are selected too. */
    chooseAll: async (): Promise<void> => {
      await pages.readAll();
      const { listed, selection } = history();
      if (selection === undefined) return;
      const hidden = store.getState().removed?.keys;
      const keys = listed?.entries.map(({ item }) => historyKey(item)) ?? [];
      change({ selection: new Set(keys.filter((key) => hidden?.has(key) !== true)) });
    },
    toggle: (ref: HistoryRef) => {
      const chosen = new Set(history().selection);
      if (!chosen.delete(historyKey(ref))) chosen.add(historyKey(ref));
      change({ selection: chosen });
    },
    /** If the host cannot open folders, shows the path instead. */
    showFolder: async (ref?: HistoryRef): Promise<void> => {
      const target = ref && { kind: ref.kind, id: ref.id };
      const reply = await request('showHistory', { ref: target });
      if (!reply.ok) change({ problem: reply.error });
      else change({ folder: reply.value.opened ? undefined : reply.value.path });
    },
    dismiss: () => change({ problem: undefined, folder: undefined }),
    /** Resolves undefined if the picture is missing; the screen shows that in its place. */
    picture: async (id: string, file: string): Promise<Uint8Array | undefined> => {
      const reply = await request('talkPicture', { id, file });
      return reply.ok ? reply.value.jpeg : undefined;
    },
    keepTalk: (keep: boolean) => attempt('keepTalk', { keep }),
    keepRecent: () => attempt('keepRecent', undefined),
    setIncognito: (on: boolean) => attempt('setIncognito', { on }),
  };
}

/** The core's limit for one page. */
const pageSize = 200;
/** How many rows before the end of the loaded list the next page is requested. */
const rowsAhead = 60;

interface HistoryPagesDeps {
  readonly request: Bridge['request'];
  readonly history: () => HistoryUiState;
  /** Entries that the screen does not show, because their deletion can still be undone. */
  readonly hidden: () => ReadonlySet<string> | undefined;
  readonly onList: (list: ListedHistory) => void;
  readonly onError: (error: AppError) => void;
}

interface Page {
  readonly entries: readonly HistoryEntry[];
  readonly total: number;
  readonly complete: boolean;
}

/** Reads the list in pages. Only the result of the newest request counts; a change during a read causes one more. */
export class HistoryPages {
  readonly #deps: HistoryPagesDeps;
  #requestId = 0;
  #reading: 'no' | 'yes' | 'again' = 'no';
  /** Resolves once the read that runs, and the one due after it, are over. */
  #readOver = Promise.resolve();
  #furthestRow = 0;
  #readsAll = false;

  constructor(deps: HistoryPagesDeps) {
    this.#deps = deps;
  }

  /** Reads from the start, after the query or the filter changed. */
  async begin(): Promise<void> {
    this.#furthestRow = 0;
    this.#requestId += 1;
    await this.#read(this.#requestId);
  }

  /** If a read is running, one more follows it. Resolves once the list is current. */
  refresh(): Promise<void> {
    if (this.#reading === 'no') this.#readOver = this.#readUntilCurrent();
    else this.#reading = 'again';
    return this.#readOver;
  }

  async loadAhead(index: number): Promise<void> {
    this.#furthestRow = index;
    const { listed } = this.#deps.history();
    if (listed === undefined || this.#reading !== 'no') return;
    const { entries, total } = listed;
    if (entries.length >= total || index < this.#countShown(entries) - rowsAhead) return;
    this.#readOver = this.#readNext(listed);
    await this.#readOver;
  }

  async readAll(): Promise<void> {
    this.#readsAll = true;
    await this.refresh();
    this.#readsAll = false;
  }

  async #readUntilCurrent(): Promise<void> {
    do {
      this.#reading = 'yes';
      this.#requestId += 1;
      await this.#read(this.#requestId);
    } while (this.#isDueAgain);
    this.#reading = 'no';
  }

  async #readNext(listed: ListedHistory): Promise<void> {
    const { entries } = listed;
    this.#reading = 'yes';
    const requestId = this.#requestId;
    const next = await this.#readPage(entries.length);
    const again = this.#isDueAgain;
    this.#reading = 'no';
    if (next !== undefined && requestId === this.#requestId) {
      const more = appendNew(entries, next.entries);
      // A list without new entries is not shown, because the screen requests the next page as soon as it gets a list.
      if (more.length > entries.length) this.#deps.onList({ ...listed, ...next, entries: more });
    }
    if (again) await this.#readUntilCurrent();
  }

  get #rowsNeeded(): number {
    if (this.#readsAll) return Infinity;
    const { selection, listed } = this.#deps.history();
    // The list keeps its length while the user selects, because Delete reaches only the selected rows that are loaded.
    const kept = selection === undefined ? 0 : (listed?.entries.length ?? 0);
    return Math.max(this.#furthestRow, kept) + rowsAhead;
  }

  #countShown(entries: readonly HistoryEntry[]): number {
    const hidden = this.#deps.hidden();
    if (hidden === undefined) return entries.length;
    return entries.filter(({ item }) => !hidden.has(historyKey(item))).length;
  }

  get #isDueAgain(): boolean {
    return this.#reading === 'again';
  }

  async #read(requestId: number): Promise<void> {
    const { query, show } = this.#deps.history();
    const needed = this.#rowsNeeded;
    let entries: readonly HistoryEntry[] = [];
    for (;;) {
      const next = await this.#readPage(entries.length);
      if (next === undefined || requestId !== this.#requestId) return;
      const before = entries.length;
      entries = appendNew(entries, next.entries);
      // A page without new entries means that some moved down; the notice of that change causes another read.
      const isShort = this.#countShown(entries) < needed && entries.length < next.total;
      if (isShort && entries.length > before) continue;
      this.#deps.onList({ ...next, entries, query, show });
      return;
    }
  }

  async #readPage(skip: number): Promise<Page | undefined> {
    const { request, history, onError } = this.#deps;
    const { query, show } = history();
    const part = { skip, count: pageSize, filter: historyFilters[show] };
    const reply =
      query.trim() === ''
        ? await request('history', part)
        : await request('searchHistory', { ...part, query });
    if (!reply.ok) {
      onError(reply.error);
      return undefined;
    }
    const { entries, total, complete } = reply.value;
    return {
      entries: entries.map((entry) => ('item' in entry ? entry : { item: entry })),
      total,
      complete,
    };
  }
}

/** Skips entries that moved down from a page that was read before. */
function appendNew(
  before: readonly HistoryEntry[],
  next: readonly HistoryEntry[],
): readonly HistoryEntry[] {
  const known = new Set(before.map(({ item }) => historyKey(item)));
  return [...before, ...next.filter(({ item }) => !known.has(historyKey(item)))];
}
