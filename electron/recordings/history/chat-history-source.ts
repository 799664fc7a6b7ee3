import {
  type ChatSearchHit,
  summarizeChat,
  type ChatThread,
  type Turn,
} from '../../../shared/chat/chat-thread.ts';
import { failure } from '../../../shared/errors/app-error.ts';
import type { ChatItem, FoundPlace, HistoryItem } from '../../../shared/recordings/history-item.ts';
import type { ChatController } from '../../chat/chat-controller.ts';
import type { ChatIndex } from '../../chat/chat-library.ts';
import { type ChatStore, listMediaParts, parseStoredChat } from '../../chat/stored-chat.ts';
import { findPlace, firstWords, containsWords, type PlacedText } from './find-place.ts';
import type { HistoryChanger, HistoryLibrary } from './history-library.ts';
import { type HistorySource, splitQuery } from './history-index.ts';

interface Deps {
  readonly store: Pick<ChatStore, 'list' | 'read'>;
  /** Sets an unreadable conversation aside and tells the user. */
  readonly onDamaged: (id: string) => Promise<void>;
  readonly path: string;
}

export function chatHistorySource({ store, onDamaged, path }: Deps): HistorySource {
  return {
    kind: 'chat',
    list: () => store.list(),
    read: async (id) => {
      const stored = await store.read(id);
      if (!stored.ok) return stored.error.code === 'fileGone' ? failure('chatGone') : stored;
      const chat = parseStoredChat(id, stored.value.text);
      if (chat === undefined) {
        await onDamaged(id);
        return failure('chatGone');
      }
      const { version } = stored.value;
      return { ok: true, value: { item: toChatItem(chat), version, texts: listChatTexts(chat) } };
    },
    pathOf: (id) => `${path}/${id}`,
  };
}

/** Changes go through the chat controller, because the conversation may be open. */
export function chatChanger(
  chats: () => Promise<Pick<ChatController, 'rename' | 'pin' | 'remove'>>,
): HistoryChanger {
  return {
    rename: async (id, title) => (await chats()).rename(id, title),
    pin: async (id, pinned) => (await chats()).pin(id, pinned),
    remove: async (id) => (await chats()).remove(id),
  };
}

function toChatItem(chat: ChatThread): ChatItem {
  const { id, title, updatedAt, pinned, turns } = chat;
  return {
    kind: 'chat',
    id,
    title,
    at: updatedAt,
    pinned,
    firstWords: firstWords(turns.map(turnText)),
    pictures: listMediaParts(chat).filter(({ type }) => type === 'image').length,
  };
}

/** Includes earlier versions of edited messages. */
function listChatTexts({ turns, branches }: ChatThread): readonly PlacedText[] {
  const all = [...turns, ...branches.flatMap((branch) => branch.turns)];
  return all.map((turn) => ({ text: turnText(turn), chatTurn: turn.id }));
}

function turnText(turn: Turn): string {
  if (turn.role === 'assistant') return turn.text;
  return turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** A count that no list of chats exceeds. */
const maxListed = 100_000;
/** The search shows only the newest hits; a more specific query finds older ones. */
const maxFound = 100;
const filter = { kind: 'chat' } as const;

/** Answers the list and the search of the Chat page from the history index. */
export function createChatIndex(library: Pick<HistoryLibrary, 'list' | 'search'>): ChatIndex {
  return {
    list: async () => {
      const page = await library.list({ skip: 0, count: maxListed, filter });
      return page.ok ? { ok: true, value: page.value.entries.map(toSummary) } : page;
    },
    search: async (query, unwritten) => {
      const page = await library.search(query, { skip: 0, count: maxFound, filter });
      if (!page.ok) return page;
      const newer = new Set(unwritten.map(({ id }) => id));
      const stored = page.value.entries
        .filter(({ item }) => !newer.has(item.id))
        .map(({ item, place }) => toHit(item, place));
      const words = splitQuery(query);
      return { ok: true, value: [...findInChats(unwritten, words), ...stored] };
    },
  };
}

function toHit({ id, title, at, pinned }: HistoryItem, place: FoundPlace): ChatSearchHit {
  return { id, title, updatedAt: at, pinned, ...toFinding(place) };
}

function findInChats(
  chats: readonly ChatThread[],
  words: readonly string[],
): readonly ChatSearchHit[] {
  return chats.flatMap((chat) => {
    const texts = [...listChatTexts(chat), { text: chat.title }];
    if (!containsWords(texts, words)) return [];
    return { ...summarizeChat(chat), ...toFinding(findPlace(texts, words)) };
  });
}

function toSummary({ id, title, at, pinned }: HistoryItem) {
  return { id, title, updatedAt: at, pinned };
}

/** A hit in the title has no excerpt, because the list shows the title. */
function toFinding({ chatTurn, excerpt }: FoundPlace): Pick<ChatSearchHit, 'excerpt' | 'turn'> {
  return { excerpt: chatTurn === undefined ? '' : excerpt, turn: chatTurn };
}
