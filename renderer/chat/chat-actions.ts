import type { ChatMedia } from '../../shared/chat/chat-patch.ts';
import type { ChatSettings } from '../../shared/settings/chat-settings.ts';
import { createAsk, type OrderedBridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import {
  applyChatSnapshot,
  type ChatNote,
  type ChatUiState,
  withChatNote,
} from './chat-ui-state.ts';
import { type ChatActionContext, createDraftActions } from './draft-actions.ts';

const searchAfterMs = 150;

/** What a person can do in written conversations. */
export function createChatActions(store: Store<UiState>, bridge: OrderedBridge) {
  const chat = (): ChatUiState => store.getState().chat;
  const change = (part: Partial<ChatUiState>): void =>
    store.setState({ chat: { ...chat(), ...part } });
  const note = (note: ChatNote): void => change({ notes: withChatNote(chat().notes, note) });
  const ask = createAsk(bridge.request, (error) => note({ kind: 'said', error }));
  const context: ChatActionContext = { chat, change, note, ask, bridge };
  let searching: ReturnType<typeof setTimeout> | undefined;
  /** As the person has set them, while the core has not applied that yet: what is set next begins there. */
  let wanted: ChatSettings | undefined;

  const setOptions = async (part: Partial<ChatSettings>): Promise<void> => {
    const sending = wanted !== undefined;
    wanted = { ...(wanted ?? chat().options), ...part };
    if (sending) return;
    for (let asked: ChatSettings | undefined; asked !== wanted;) {
      asked = wanted;
      await ask('setChatOptions', asked);
    }
    wanted = undefined;
  };

  const search = async (query: string): Promise<void> => {
    const reply = await bridge.request('searchChats', { query });
    // What was typed meanwhile has a search of its own.
    if (chat().search.query !== query) return;
    if (reply.ok) change({ search: { query, hits: reply.value } });
    else note({ kind: 'said', error: reply.error });
  };

  const searchSoon = (): void => {
    clearTimeout(searching);
    const { query } = chat().search;
    if (query.trim() !== '') searching = setTimeout(() => void search(query), searchAfterMs);
  };

  return {
    ...createDraftActions(context),
    read: async () => {
      const reply = await bridge.read('chat', (view) =>
        store.setState({ chat: applyChatSnapshot(chat(), view) }),
      );
      if (!reply.ok) note({ kind: 'said', error: reply.error });
    },
    readVoices: async () => {
      const reply = await bridge.read('voices', (voices) => change({ voices }));
      if (!reply.ok) note({ kind: 'said', error: reply.error });
    },
    note,
    dismissNote: (note: ChatNote) => change({ notes: chat().notes.filter((one) => one !== note) }),
    stop: () => ask('stopChat', undefined),
    retry: (turn: string) => ask('retryChat', { turn }),
    goOn: (turn: string) => ask('goOnChat', { turn }),
    removeTurn: (turn: string) => ask('removeChatTurn', { turn }),
    chooseBranch: (branch: string) => ask('chooseChatBranch', { branch }),
    play: (turn: string) => ask('playChat', { turn }),
    silence: () => ask('silenceChat', undefined),
    setOptions,
    resetOptions: () => ask('resetSettings', { group: 'chat' }),
    begin: () => ask('beginChat', undefined),
    /** A turn that is looked for is come to where it is there. */
    open: async (id: string, turn?: string): Promise<void> => {
      change({ wantedTurn: undefined });
      if (await ask('openChat', { id })) change({ wantedTurn: turn });
    },
    turnShown: () => change({ wantedTurn: undefined }),
    rename: (id: string, title: string) => ask('renameChat', { id, title }),
    pin: (id: string, pinned: boolean) => ask('pinChat', { id, pinned }),
    remove: (id: string) => ask('removeChat', { id }),
    search: (query: string) => {
      const none = query.trim() === '';
      change({ search: { query, hits: none ? undefined : chat().search.hits } });
      searchSoon();
    },
    /** For the same, where the list has become another one. */
    searchAgain: () => searchSoon(),
    /** A picture or sound by its id; what is wrong is shown where it would have been. */
    media: async (media: string): Promise<ChatMedia | undefined> => {
      const reply = await bridge.request('chatMedia', { media });
      return reply.ok ? reply.value : undefined;
    },
  };
}
