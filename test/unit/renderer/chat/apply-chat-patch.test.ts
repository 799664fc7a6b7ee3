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

describe('what is heard of a conversation', () => {
  it('adds a piece of text to its turn and leaves all others the very same', () => {
    const after = applyChatPatch(chat, { kind: 'text', turn: 'a1', from: 3, text: ' two' });
    expect(lastText(after)).toBe('One two');
    expect(after.conversation?.turns[0]).toBe(chat.conversation?.turns[0]);
    expect(after.options).toBe(chat.options);
  });

  it('notices a piece that was lost, and takes nothing for it', () => {
    const after = applyChatPatch(chat, { kind: 'text', turn: 'a1', from: 9, text: 'late' });
    expect(after.stale).toBe(true);
    expect(lastText(after)).toBe('One');
  });

  it('knows whether an answer is on its way', () => {
    expect(isAnswering(chat)).toBe(true);
    const state = { kind: 'done', cutShort: false } as const;
    expect(isAnswering(applyChatPatch(chat, { kind: 'answer', turn: 'a1', state }))).toBe(false);
  });

  it('shows the cursor while it is spoken, and no longer', () => {
    const caption = { kind: 'caption', turn: 'a1', heard: 2 } as const;
    const during = applyChatPatch(chat, { ...caption, playing: true });
    expect(during.speaking).toMatchObject({ turn: 'a1', heard: 2 });
    expect(applyChatPatch(during, { ...caption, playing: false }).speaking).toBeUndefined();
  });

  it('says when a recording was taken from the person', () => {
    const after = applyClipRecording({ ...chat, clip: 'recording' }, { kind: 'stopped' });
    expect(after.clip).toBe('none');
    expect(after.notes).toEqual([{ kind: 'clipStopped' }]);
  });
});
