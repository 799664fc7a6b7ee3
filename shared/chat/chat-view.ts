import type { ConversationHead } from './chat-list.ts';
import type { ChatOptions } from './chat-options.ts';
import type { Conversation } from './conversation.ts';

/** All of written conversations that a page shows, for one that comes in the middle of it. */
export interface ChatView {
  readonly conversation: Conversation;
  readonly options: ChatOptions;
  /** An answer is on its way. */
  readonly busy: boolean;
  readonly list: readonly ConversationHead[];
}
