import { failure } from '../../shared/errors/app-error.ts';
import type { ChatThread, Turn } from '../../shared/chat/chat-thread.ts';
import type { ChatItem } from '../../shared/history/history-item.ts';
import type { ChatController } from '../chat/chat-controller.ts';
import { mediaPartsOf, parseStoredChat } from '../chat/stored-chat.ts';
import { firstWordsOf } from '../recorder/history/first-words.ts';
import type { PlacedText } from '../../shared/history/find-place.ts';
import type { HistorySource } from '../recorder/history/history-source.ts';
import type { ChatStore } from '../ports/chat-store.ts';

interface Deps {
  readonly store: Pick<ChatStore, 'list' | 'read'>;
  /** What is changed of a conversation is changed where it may be open. */
  readonly chats: () => Promise<Pick<ChatController, 'rename' | 'pin' | 'remove'>>;
  /** One that makes no sense is never read again; where that is, the person is told. */
  readonly damaged: (id: string) => Promise<void>;
  readonly path: string;
}

/** Written conversations that are kept, as the history lists and searches them. */
export function chatHistorySource({ store, chats, damaged, path }: Deps): HistorySource {
  return {
    kind: 'chat',
    list: () => store.list(),
    read: async (id) => {
      const stored = await store.read(id);
      if (!stored.ok) return stored.error.code === 'fileGone' ? failure('chatGone') : stored;
      const chat = parseStoredChat(id, stored.value.text);
      if (chat === undefined) {
        await damaged(id);
        return failure('chatGone');
      }
      const { version } = stored.value;
      return { ok: true, value: { item: chatItemOf(chat), version, texts: textsOfChat(chat) } };
    },
    rename: async (id, title) => (await chats()).rename(id, title),
    pin: async (id, pinned) => (await chats()).pin(id, pinned),
    remove: async (id) => (await chats()).remove(id),
    placeOf: (id) => `${path}/${id}`,
  };
}

function chatItemOf(chat: ChatThread): ChatItem {
  const { id, title, updatedAt, pinned, turns } = chat;
  return {
    kind: 'chat',
    id,
    title,
    at: updatedAt,
    pinned,
    firstWords: firstWordsOf(turns.map(textOfTurn)),
    pictures: mediaPartsOf(chat).filter(({ type }) => type === 'image').length,
  };
}

/** What was said instead before something was edited belongs to it, too. */
export function textsOfChat({ turns, branches }: ChatThread): readonly PlacedText[] {
  const all = [...turns, ...branches.flatMap((branch) => branch.turns)];
  return all.map((turn) => ({ text: textOfTurn(turn), chatTurn: turn.id }));
}

function textOfTurn(turn: Turn): string {
  if (turn.role === 'assistant') return turn.text;
  return turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
