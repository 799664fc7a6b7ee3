import { describe, expect, it } from 'vitest';
import {
  applyChatPatch,
  applyClipRecording,
  type ChatUiState,
  initialChatUiState,
  isAnswering,
} from '../../../../renderer/chat/chat-ui-state.ts';
import { answer, conversationOf, question } from '../../../gallery/sample-chat.ts';

const streaming = { ...answer('a1', 'One'), state: { kind: 'streaming' } as const };
const chat: ChatUiState = {
  ...initialChatUiState,
  conversation: conversationOf([question('q1', 'Why?'), streaming]),
};
const lastText = ({ conversation }: ChatUiState) => {
  const last = conversation?.turns.at(-1);
  return last?.role === 'assistant' ? last.text : undefined;
};

describe('the chat state', () => {
  it('appends a piece of text to its turn and keeps the identity of the others', () => {
    const after = applyChatPatch(chat, { kind: 'text', turn: 'a1', from: 3, text: ' two' });
    expect(lastText(after)).toBe('One two');
    expect(after.conversation?.turns[0]).toBe(chat.conversation?.turns[0]);
    expect(after.options).toBe(chat.options);
  });

  it('becomes stale when a piece is missing', () => {
    const after = applyChatPatch(chat, { kind: 'text', turn: 'a1', from: 9, text: 'late' });
    expect(after.stale).toBe(true);
    expect(lastText(after)).toBe('One');
  });

  it('knows whether an answer is streaming', () => {
    expect(isAnswering(chat)).toBe(true);
    const state = { kind: 'done', cutShort: false } as const;
    expect(isAnswering(applyChatPatch(chat, { kind: 'answer', turn: 'a1', state }))).toBe(false);
  });

  it('has a caption cursor only while the answer is spoken', () => {
    const caption = { kind: 'caption', turn: 'a1', heard: 2 } as const;
    const speaking = applyChatPatch(chat, { ...caption, playing: true });
    expect(speaking.speaking).toMatchObject({ turn: 'a1', heard: 2 });
    expect(applyChatPatch(speaking, { ...caption, playing: false }).speaking).toBeUndefined();
  });

  it('adds a note when the core stops a recording', () => {
    const after = applyClipRecording({ ...chat, clip: 'recording' }, { kind: 'stopped' });
    expect(after.clip).toBe('none');
    expect(after.notes).toEqual([{ kind: 'clipStopped' }]);
  });
});
