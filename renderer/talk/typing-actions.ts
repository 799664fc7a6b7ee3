import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import type { TypingState } from './talk-ui-state.ts';

interface Deps {
  readonly store: Store<UiState>;
  readonly request: Bridge['request'];
  readonly readChat: () => Promise<void>;
}

/** No dialect takes text in a talk, so that it is asked in Chat, of the server that is talked to. */
export function createTypingActions({ store, request, readChat }: Deps) {
  const change = (part: Partial<TypingState>): void =>
    store.setState({ typing: { ...store.getState().typing, ...part } });
  /** Where it is looked at in Chat meanwhile, nothing is begun anew. */
  const conversation = async (): Promise<string | undefined> => {
    const { typing, chat, keeping } = store.getState();
    if (typing.chat !== undefined && chat.conversation?.id === typing.chat) return typing.chat;
    const reply = await request('beginChat', { unkept: keeping.talk.kind === 'incognito' });
    if (!reply.ok) {
      change({ error: reply.error });
      return undefined;
    }
    await readChat();
    const id = store.getState().chat.conversation?.id;
    change({ chat: id });
    return id;
  };
  return {
    setOpen: (open: boolean): void => change({ open, error: undefined }),
    /** Whether it has gone; what has not stays in the field. */
    send: async (text: string): Promise<boolean> => {
      change({ error: undefined });
      const chat = await conversation();
      if (chat === undefined) return false;
      const reply = await request('sendChat', { parts: [{ type: 'text', text }], chat });
      if (!reply.ok) change({ error: reply.error });
      return reply.ok;
    },
  };
}
