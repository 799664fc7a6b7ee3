import type { ChatThread } from './chat-thread.ts';

/** A conversation as it stands in the side list. */
export interface ChatSummary {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: number;
  readonly pinned: boolean;
}

export interface ChatSearchHit extends ChatSummary {
  /** A piece of the text around what was found; empty where it was found in the title only. */
  readonly excerpt: string;
}

export function chatSummaryOf(conversation: ChatThread): ChatSummary {
  const { id, title, updatedAt, pinned } = conversation;
  return { id, title, updatedAt, pinned };
}
