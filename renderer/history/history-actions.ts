import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import type { Ask, Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import { HistoryPages } from './history-pages.ts';
import {
  type HistoryEntry,
  historyKey,
  type HistoryShow,
  type HistoryUiState,
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
  const change = (part: Partial<HistoryUiState>): void => {
    store.setState({ history: { ...history(), ...part } });
  };
  const pages = new HistoryPages({
    request,
    history,
    listed: (listed) => {
      change({ listed });
    },
    failed: (problem) => {
      change({ problem });
    },
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
    close: () => {
      change({ opened: undefined });
    },
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
    choose: (refs: readonly HistoryRef[] | undefined) => {
      change({ chosen: refs && new Set(refs.map(historyKey)) });
    },
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
    dismiss: () => {
      change({ problem: undefined, folder: undefined });
    },
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
