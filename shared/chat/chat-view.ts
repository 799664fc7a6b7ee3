import type { ChatSummary } from './chat-summary.ts';
import type { ChatOptions } from './chat-options.ts';
import type { ChatThread } from './chat-thread.ts';

/** All of written conversations that a page shows, for one that comes in the middle of it. */
export interface ChatView {
  readonly conversation: ChatThread;
  readonly options: ChatOptions;
  readonly list: readonly ChatSummary[];
}

/** What stands in a conversation by its id, as a page shows or plays it: a JPEG, or a WAV file. */
export interface ChatMedia {
  readonly type: 'image' | 'audio';
  readonly file: Uint8Array;
}
