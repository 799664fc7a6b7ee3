import {
  type ChatSearchHit,
  chatSummaryOf,
  type ChatThread,
  type Turn,
} from '../../../shared/chat/chat-thread.ts';
import { failure } from '../../../shared/errors/app-error.ts';
import type { ChatItem, FoundPlace, HistoryItem } from '../../../shared/recordings/history-item.ts';
import type { ChatController } from '../../chat/chat-controller.ts';
import type { ChatIndex } from '../../chat/chat-library.ts';
import { type ChatStore, listMediaParts, parseStoredChat } from '../../chat/stored-chat.ts';
import { findPlace, firstWordsOf, holdsWords, type PlacedText } from './find-place.ts';
import type { HistoryChanger } from './history-editor.ts';
import { type HistorySource, queryWordsOf } from './history-index.ts';
import type { HistoryLibrary } from './history-library.ts';

interface Deps {
  readonly store: Pick<ChatStore, 'list' | 'read'>;
  /** One that makes no sense is never read again; where that is, the person is told. */
  readonly damaged: (id: string) => Promise<void>;
  readonly path: string;
}

/** Written conversations that are kept, as the history lists and searches them. */
export function chatHistorySource({ store, damaged, path }: Deps): HistorySource {
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
    placeOf: (id) => `${path}/${id}`,
  };
}

/** What is changed of a written conversation is changed where it may be open. */
export function chatChanger(
  chats: () => Promise<Pick<ChatController, 'rename' | 'pin' | 'remove'>>,
): HistoryChanger {
  return {
    rename: async (id, title) => (await chats()).rename(id, title),
    pin: async (id, pinned) => (await chats()).pin(id, pinned),
    remove: async (id) => (await chats()).remove(id),
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
    pictures: listMediaParts(chat).filter(({ type }) => type === 'image').length,
  };
}

/** What was said instead before something was edited belongs to it, too. */
function textsOfChat({ turns, branches }: ChatThread): readonly PlacedText[] {
  const all = [...turns, ...branches.flatMap((branch) => branch.turns)];
  return all.map((turn) => ({ text: textOfTurn(turn), chatTurn: turn.id }));
}

function textOfTurn(turn: Turn): string {
  if (turn.role === 'assistant') return turn.text;
  return turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** More than anybody keeps. */
const all = 100_000;
/** The newest: more would be a list to read, and another word finds what is meant. */
const maxFound = 100;
const filter = { kind: 'chat' } as const;

/** Chat's own list and search, by the index of the history. */
export function keptChatsOf(library: Pick<HistoryLibrary, 'list' | 'search'>): ChatIndex {
  return {
    list: async () => {
      const page = await library.list({ skip: 0, count: all, filter });
      return page.ok ? { ok: true, value: page.value.entries.map(summaryOf) } : page;
    },
    search: async (query, unwritten) => {
      const page = await library.search(query, { skip: 0, count: maxFound, filter });
      if (!page.ok) return page;
      const newer = new Set(unwritten.map(({ id }) => id));
      const stored = page.value.entries
        .filter(({ item }) => !newer.has(item.id))
        .map(({ item, place }) => hitOf(item, place));
      const words = queryWordsOf(query);
      return { ok: true, value: [...foundIn(unwritten, words), ...stored] };
    },
  };
}

function hitOf({ id, title, at, pinned }: HistoryItem, place: FoundPlace): ChatSearchHit {
  return { id, title, updatedAt: at, pinned, excerpt: excerptOf(place) };
}

function foundIn(chats: readonly ChatThread[], words: readonly string[]): readonly ChatSearchHit[] {
  return chats.flatMap((chat) => {
    const texts = [...textsOfChat(chat), { text: chat.title }];
    if (!holdsWords(texts, words)) return [];
    return { ...chatSummaryOf(chat), excerpt: excerptOf(findPlace(texts, words)) };
  });
}

function summaryOf({ id, title, at, pinned }: HistoryItem) {
  return { id, title, updatedAt: at, pinned };
}

/** A title stands in the list in any case. */
function excerptOf({ chatTurn, excerpt }: FoundPlace): string {
  return chatTurn === undefined ? '' : excerpt;
}
