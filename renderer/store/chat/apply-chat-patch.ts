import type { ChatPatch } from '../../../shared/chat/chat-patch.ts';
import type { ChatView } from '../../../shared/chat/chat-view.ts';
import type { AssistantTurn, ChatThread } from '../../../shared/chat/chat-thread.ts';
import type { BridgeNotice } from '../../bridge/bridge.ts';
import { withDraftCarriedOver, withChatNote } from './chat-ui-state.ts';
import type { ChatUiState } from './chat-ui-state.ts';

type ClipNotice = Extract<BridgeNotice, { name: 'clipRecording' }>['payload'];

/** All of it, for a page that comes in the middle. */
export function applyChatSnapshot(
  chat: ChatUiState,
  { conversation, options, list }: ChatView,
): ChatUiState {
  return withDraftCarriedOver(chat, { ...chat, conversation, options, list, stale: false });
}

/** One change of the open conversation; every turn but the one that changes stays the very same. */
export function applyChatPatch(chat: ChatUiState, patch: ChatPatch): ChatUiState {
  return withDraftCarriedOver(chat, patched(chat, patch));
}

function patched(chat: ChatUiState, patch: ChatPatch): ChatUiState {
  switch (patch.kind) {
    case 'replaced':
      return { ...chat, conversation: patch.conversation, sent: undefined };
    case 'options':
      return { ...chat, options: patch.options };
    case 'line':
      return { ...chat, line: patch.line };
    case 'sent':
      return { ...chat, sent: patch.sent };
    case 'caption':
      return { ...chat, speaking: patch.playing ? patch : undefined };
    case 'added':
      return withConversation(chat, ({ turns }) => ({ turns: [...turns, patch.turn] }));
    case 'titled':
      return withConversation(chat, () => ({ title: patch.title }));
    case 'text': {
      const known = answerOf(chat, patch.turn)?.text;
      if (known?.length !== patch.from) return { ...chat, stale: true };
      return withAnswer(chat, patch.turn, { text: known + patch.text });
    }
    case 'rewritten':
      return withAnswer(chat, patch.turn, { text: patch.text });
    case 'answer':
      return withAnswer(chat, patch.turn, { state: patch.state, stats: patch.stats });
    case 'speech':
      return withAnswer(chat, patch.turn, { speechSeconds: patch.seconds });
  }
}

/**
 * Levels are not here: they go past the view. Another page may be recording, and what is being attached
 * belongs to the recording no more.
 */
export function applyClipRecording(chat: ChatUiState, event: ClipNotice): ChatUiState {
  if (chat.clip === 'none' || chat.clip === 'attaching') return chat;
  switch (event.kind) {
    case 'level':
      return chat;
    case 'full':
      return { ...chat, clip: 'full' };
    case 'problem': {
      const note = { kind: 'said', error: event.error } as const;
      return { ...chat, notes: withChatNote(chat.notes, note) };
    }
    case 'stopped':
      return { ...chat, clip: 'none', notes: withChatNote(chat.notes, { kind: 'clipStopped' }) };
  }
}

function withConversation(
  chat: ChatUiState,
  change: (conversation: ChatThread) => Partial<ChatThread>,
): ChatUiState {
  const { conversation } = chat;
  if (conversation === undefined) return chat;
  return { ...chat, conversation: { ...conversation, ...change(conversation) } };
}

function answerOf({ conversation }: ChatUiState, id: string): AssistantTurn | undefined {
  const turn = conversation?.turns.findLast((turn) => turn.id === id);
  return turn?.role === 'assistant' ? turn : undefined;
}

function withAnswer(chat: ChatUiState, id: string, change: Partial<AssistantTurn>): ChatUiState {
  const answer = answerOf(chat, id);
  if (answer === undefined) return chat;
  return withConversation(chat, ({ turns }) => ({
    turns: turns.with(turns.lastIndexOf(answer), { ...answer, ...change }),
  }));
}
