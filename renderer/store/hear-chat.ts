import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { ChatView } from '../../shared/chat/chat-view.ts';
import type { AssistantTurn, Conversation } from '../../shared/chat/conversation.ts';
import type { BridgeNotice } from '../bridge/bridge.ts';
import { withDraftAlong, withNote } from './chat-view.ts';
import type { ChatSlice } from './chat-view.ts';

type ClipNews = Extract<BridgeNotice, { name: 'clipRecording' }>['payload'];

/** All of it, for a page that comes in the middle. */
export function hearChat(chat: ChatSlice, { conversation, options, list }: ChatView): ChatSlice {
  return withDraftAlong(chat, { ...chat, conversation, options, list, stale: false });
}

/** One change of the open conversation; every turn but the one that changes stays the very same. */
export function hearChatPatch(chat: ChatSlice, patch: ChatPatch): ChatSlice {
  return withDraftAlong(chat, patched(chat, patch));
}

function patched(chat: ChatSlice, patch: ChatPatch): ChatSlice {
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
      return within(chat, ({ turns }) => ({ turns: [...turns, patch.turn] }));
    case 'titled':
      return within(chat, () => ({ title: patch.title }));
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
 * has been taken out of the recording's hands.
 */
export function hearClip(chat: ChatSlice, news: ClipNews): ChatSlice {
  if (chat.clip === 'none' || chat.clip === 'attaching') return chat;
  switch (news.kind) {
    case 'level':
      return chat;
    case 'full':
      return { ...chat, clip: 'full' };
    case 'problem': {
      const note = { kind: 'said', sentence: news.problem, why: news.why } as const;
      return { ...chat, notes: withNote(chat.notes, note) };
    }
    case 'stopped':
      return { ...chat, clip: 'none', notes: withNote(chat.notes, { kind: 'clipStopped' }) };
  }
}

function within(
  chat: ChatSlice,
  change: (conversation: Conversation) => Partial<Conversation>,
): ChatSlice {
  const { conversation } = chat;
  if (conversation === undefined) return chat;
  return { ...chat, conversation: { ...conversation, ...change(conversation) } };
}

function answerOf({ conversation }: ChatSlice, id: string): AssistantTurn | undefined {
  const turn = conversation?.turns.findLast((turn) => turn.id === id);
  return turn?.role === 'assistant' ? turn : undefined;
}

function withAnswer(chat: ChatSlice, id: string, change: Partial<AssistantTurn>): ChatSlice {
  const answer = answerOf(chat, id);
  if (answer === undefined) return chat;
  return within(chat, ({ turns }) => ({
    turns: turns.with(turns.lastIndexOf(answer), { ...answer, ...change }),
  }));
}
