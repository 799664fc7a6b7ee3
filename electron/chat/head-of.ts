import type { ConversationHead } from '../../shared/chat/chat-list.ts';
import type { Conversation } from '../../shared/chat/conversation.ts';

export function headOf(conversation: Conversation): ConversationHead {
  const { id, title, createdAt, updatedAt, pinned } = conversation;
  return { id, title, createdAt, updatedAt, pinned };
}
