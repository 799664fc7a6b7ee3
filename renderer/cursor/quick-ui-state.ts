import { closedQuick, type QuickState } from '../../shared/cursor/quick-view.ts';
import { type ChatUiState, initialChatUiState } from '../chat/chat-ui-state.ts';

/** The small window over other programs. */
export interface QuickUiState {
  readonly state: QuickState;
  /** Its conversation, apart from the one in Chat. */
  readonly chat: ChatUiState;
}

export const initialQuickUiState: QuickUiState = { state: closedQuick, chat: initialChatUiState };
