import type { Bridge } from '../../bridge/bridge.ts';
import type { ChatNote, ChatUiState } from './chat-ui-state.ts';

/** What all actions of one part of the UI are made of. */
export interface ChatActionContext {
  readonly chat: () => ChatUiState;
  readonly change: (part: Partial<ChatUiState>) => void;
  readonly note: (note: ChatNote) => void;
  /** Whether it was done; why not is said on the screen. */
  readonly ask: (...request: Parameters<Bridge['request']>) => Promise<boolean>;
  readonly bridge: Bridge;
}
