import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import type { TypingState } from './talk-ui-state.ts';

interface Deps {
  readonly store: Store<UiState>;
  readonly request: Bridge['request'];
  readonly readChat: () => Promise<void>;
}

/** Neither dialect takes text during a talk, so typed questions go to the same server as a written chat. */
export function createTypingActions({ store, request, readChat }: Deps) {
  const patchTyping = (part: Partial<TypingState>): void =>
    store.setState({ typing: { ...store.getState().typing, ...part } });
  /** Reuses the conversation if the Chat screen still shows it. */
  const openConversation = async (): Promise<string | undefined> => {
    const { typing, chat, keeping } = store.getState();
    if (typing.chat !== undefined && chat.conversation?.id === typing.chat) return typing.chat;
    const reply = await request('beginChat', { unkept: keeping.talk.kind === 'incognito' });
    if (!reply.ok) {
      patchTyping({ error: reply.error });
      return undefined;
    }
    await readChat();
    const id = store.getState().chat.conversation?.id;
    patchTyping({ chat: id });
    return id;
  };
  return {
    setOpen: (open: boolean): void => patchTyping({ open, error: undefined }),
    /** Resolves true if the message was sent; otherwise the text stays in the field. */
    send: async (text: string): Promise<boolean> => {
      patchTyping({ error: undefined });
      const chat = await openConversation();
      if (chat === undefined) return false;
      const reply = await request('sendChat', { parts: [{ type: 'text', text }], chat });
      if (!reply.ok) patchTyping({ error: reply.error });
      return reply.ok;
    },
  };
}
