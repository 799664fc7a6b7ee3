import type { ChatMedia } from '../../shared/chat/chat-patch.ts';
import type { CallDecision } from '../../shared/chat/chat-thread.ts';
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

const searchDelayMs = 150;

export function createChatActions(store: Store<UiState>, bridge: OrderedBridge) {
  const chat = (): ChatUiState => store.getState().chat;
  const change = (part: Partial<ChatUiState>): void =>
    store.setState({ chat: { ...chat(), ...part } });
  const note = (note: ChatNote): void => change({ notes: withChatNote(chat().notes, note) });
  const ask = createAsk(bridge.request, (error) => note({ kind: 'failure', error }));
  const context: ChatActionContext = { chat, change, note, ask, bridge };
  let searchTimer: ReturnType<typeof setTimeout> | undefined;
  /** The newest options while a request with earlier ones is pending; the next change builds on them. */
  let pending: ChatSettings | undefined;

  const setOptions = async (part: Partial<ChatSettings>): Promise<void> => {
    const isSending = pending !== undefined;
    pending = { ...(pending ?? chat().options), ...part };
    if (isSending) return;
    for (let sent: ChatSettings | undefined; sent !== pending;) {
      sent = pending;
      await ask('setChatOptions', sent);
    }
    pending = undefined;
  };

  const search = async (query: string): Promise<void> => {
    const reply = await bridge.request('searchChats', { query });
    // The query changed meanwhile; its own search follows.
    if (chat().search.query !== query) return;
    if (reply.ok) change({ search: { query, hits: reply.value } });
    else note({ kind: 'failure', error: reply.error });
  };

  const searchSoon = (): void => {
    clearTimeout(searchTimer);
    const { query } = chat().search;
    if (query.trim() !== '') searchTimer = setTimeout(() => void search(query), searchDelayMs);
  };

  return {
    ...createDraftActions(context),
    read: async () => {
      const reply = await bridge.read('chat', (view) =>
        store.setState({ chat: applyChatSnapshot(chat(), view) }),
      );
      if (!reply.ok) note({ kind: 'failure', error: reply.error });
    },
    readVoices: async () => {
      const reply = await bridge.read('voices', (voices) => change({ voices }));
      if (!reply.ok) note({ kind: 'failure', error: reply.error });
    },
    note,
    dismissNote: (note: ChatNote) =>
      change({ notes: chat().notes.filter((other) => other !== note) }),
    stop: () => ask('stopChat', undefined),
    decideCall: (call: string, decision: CallDecision) => ask('decideChatCall', { call, decision }),
    retry: (turn: string) => ask('retryChat', { turn }),
    continueAnswer: (turn: string) => ask('goOnChat', { turn }),
    removeTurn: (turn: string) => ask('removeChatTurn', { turn }),
    chooseBranch: (branch: string) => ask('chooseChatBranch', { branch }),
    play: (turn: string) => ask('playChat', { turn }),
    silence: () => ask('silenceChat', undefined),
    setOptions,
    resetOptions: () => ask('resetSettings', { group: 'chat' }),
    begin: () => ask('beginChat', undefined),
    /** Scrolls to the turn once the conversation is open. */
    open: async (id: string, turn?: string): Promise<void> => {
      change({ targetTurn: undefined });
      if (await ask('openChat', { id })) change({ targetTurn: turn });
    },
    turnShown: () => change({ targetTurn: undefined }),
    rename: (id: string, title: string) => ask('renameChat', { id, title }),
    pin: (id: string, pinned: boolean) => ask('pinChat', { id, pinned }),
    remove: (id: string) => ask('removeChat', { id }),
    search: (query: string) => {
      const isEmpty = query.trim() === '';
      change({ search: { query, hits: isEmpty ? undefined : chat().search.hits } });
      searchSoon();
    },
    searchAgain: () => searchSoon(),
    /** Resolves undefined if the file is missing; the screen shows that in its place. */
    media: async (media: string): Promise<ChatMedia | undefined> => {
      const reply = await bridge.request('chatMedia', { media });
      return reply.ok ? reply.value : undefined;
    },
  };
}
