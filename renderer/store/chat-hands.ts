import type { Bridge } from '../bridge/bridge.ts';
import type { ChatNote, ChatSlice } from './chat-view.ts';

/** What all doings of this room are made of. */
export interface ChatHands {
  readonly chat: () => ChatSlice;
  readonly change: (part: Partial<ChatSlice>) => void;
  readonly note: (note: ChatNote) => void;
  /** Whether it was done; why not is said on the screen. */
  readonly ask: (...request: Parameters<Bridge['request']>) => Promise<boolean>;
  readonly bridge: Bridge;
}
