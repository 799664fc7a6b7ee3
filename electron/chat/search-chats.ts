import type { ChatSearchHit } from '../../shared/chat/chat-summary.ts';
import type { ChatThread, Turn } from '../../shared/chat/chat-thread.ts';
import { foldText } from '../../shared/chat/fold-text.ts';
import { findExcerpt } from './find-excerpt.ts';
import { chatSummaryOf } from '../../shared/chat/chat-summary.ts';

/** What was folded before, by the conversation it was folded from: only what has changed is folded anew. */
export type FoldedChats = WeakMap<ChatThread, FoldedChat>;

interface FoldedChat {
  readonly title: string;
  readonly turns: readonly string[];
}

/** The conversations in which all words stand, in the order they come in. */
export function searchChats(
  conversations: readonly ChatThread[],
  query: string,
  known: FoldedChats,
): readonly ChatSearchHit[] {
  const words = foldText(query)
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  return conversations.flatMap((conversation) => {
    const folded = known.get(conversation) ?? fold(conversation);
    known.set(conversation, folded);
    const all = [folded.title, ...folded.turns];
    if (!words.every((word) => all.some((text) => text.includes(word)))) return [];
    return { ...chatSummaryOf(conversation), excerpt: excerptOf(conversation, folded, words) };
  });
}

function fold({ title, turns }: ChatThread): FoldedChat {
  return { title: foldText(title), turns: turns.map((turn) => foldText(textOf(turn))) };
}

function excerptOf({ turns }: ChatThread, folded: FoldedChat, words: readonly string[]): string {
  for (const word of words) {
    const turn = turns[folded.turns.findIndex((text) => text.includes(word))];
    if (turn !== undefined) return findExcerpt(textOf(turn), word);
  }
  return '';
}

function textOf(turn: Turn): string {
  if (turn.role === 'assistant') return turn.text;
  return turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
