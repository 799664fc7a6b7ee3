import type { ChatSummary } from '../../shared/chat/chat-summary.ts';
import type { ChatThread } from '../../shared/chat/chat-thread.ts';

export function chatSummaryOf(conversation: ChatThread): ChatSummary {
  const { id, title, createdAt, updatedAt, pinned } = conversation;
  return { id, title, createdAt, updatedAt, pinned };
}
