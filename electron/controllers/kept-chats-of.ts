import type { ChatSearchHit } from '../../shared/chat/chat-summary.ts';
import { chatSummaryOf } from '../../shared/chat/chat-summary.ts';
import type { ChatThread } from '../../shared/chat/chat-thread.ts';
import type { FoundPlace, HistoryItem } from '../../shared/history/history-item.ts';
import type { KeptChats } from '../chat/kept-chats.ts';
import { findPlace, holdsWords } from '../../shared/history/find-place.ts';
import type { HistoryLibrary } from '../recorder/history/history-library.ts';
import { queryWordsOf } from '../recorder/history/index-words.ts';
import { textsOfChat } from './chat-history-source.ts';

/** More than anybody keeps. */
const all = 100_000;
/** The newest: more would be a list to read, and another word finds what is meant. */
const maxFound = 100;
const filter = { kind: 'chat' } as const;

/** Chat's own list and search, by the index of the history. */
export function keptChatsOf(library: Pick<HistoryLibrary, 'list' | 'search'>): KeptChats {
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
