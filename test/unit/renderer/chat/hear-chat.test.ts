import { describe, expect, it } from 'vitest';
import { firstChat, isAnswering } from '../../../../renderer/store/chat-view.ts';
import type { ChatSlice } from '../../../../renderer/store/chat-view.ts';
import { hearChatPatch, hearClip } from '../../../../renderer/store/hear-chat.ts';
import { answer, conversationOf, question } from '../../../gallery/sample-chat.ts';

const streaming = { ...answer('a1', 'One'), state: { kind: 'streaming' } as const };
const chat: ChatSlice = {
  ...firstChat,
  conversation: conversationOf([question('q1', 'Why?'), streaming]),
};
const lastText = ({ conversation }: ChatSlice) => {
  const last = conversation?.turns.at(-1);
  return last?.role === 'assistant' ? last.text : undefined;
};

describe('what is heard of a conversation', () => {
  it('adds a piece of text to its turn and leaves all others the very same', () => {
    const after = hearChatPatch(chat, { kind: 'text', turn: 'a1', from: 3, text: ' two' });
    expect(lastText(after)).toBe('One two');
    expect(after.conversation?.turns[0]).toBe(chat.conversation?.turns[0]);
    expect(after.options).toBe(chat.options);
  });

  it('notices a piece that was lost, and takes nothing for it', () => {
    const after = hearChatPatch(chat, { kind: 'text', turn: 'a1', from: 9, text: 'late' });
    expect(after.stale).toBe(true);
    expect(lastText(after)).toBe('One');
  });

  it('knows whether an answer is on its way', () => {
    expect(isAnswering(chat)).toBe(true);
    const state = { kind: 'done', cutShort: false } as const;
    expect(isAnswering(hearChatPatch(chat, { kind: 'answer', turn: 'a1', state }))).toBe(false);
  });

  it('shows the cursor while it is spoken, and no longer', () => {
    const caption = { kind: 'caption', turn: 'a1', heard: 2 } as const;
    const during = hearChatPatch(chat, { ...caption, playing: true });
    expect(during.speaking).toMatchObject({ turn: 'a1', heard: 2 });
    expect(hearChatPatch(during, { ...caption, playing: false }).speaking).toBeUndefined();
  });

  it('tells when a recording was taken from the person', () => {
    const after = hearClip({ ...chat, clip: 'recording' }, { kind: 'stopped' });
    expect(after.clip).toBe('none');
    expect(after.notes).toEqual([{ kind: 'clipStopped' }]);
  });
});
