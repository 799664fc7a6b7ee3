import { describe, expect, it, vi } from 'vitest';
import { chatGroups, formatWhen, withFirstRows } from '../../../renderer/chat/chat-list.tsx';
import { answerExcerpt } from '../../../renderer/chat/chat-screen.tsx';
import {
  applyChatPatch,
  applyClipRecording,
  type ChatUiState,
  initialChatUiState,
} from '../../../renderer/chat/chat-ui-state.ts';
import { branchVersions } from '../../../renderer/chat/turns/turn-tools.tsx';
import { isComposing, textAfterSending } from '../../../renderer/design/controls.tsx';
import { isSendKey } from '../../../renderer/design/edit-in-place.tsx';
import { answer, conversationOf, question, sampleList } from '../../gallery/sample-talk.ts';
import {
  createTypedValue,
  withConfirmedValue,
  withSentValue,
} from '../../../renderer/chat/options-sheet.tsx';
import { deferred } from '../../fakes/promises.ts';
import { openApp } from './open-app.ts';

const enter = { key: 'Enter', shiftKey: false, altKey: false };
const plain = { isComposing: false, keyCode: 13 };

describe('Enter', () => {
  it('sends, except with Shift or while an input method is composing', () => {
    expect(isSendKey({ ...enter, nativeEvent: plain })).toBe(true);
    expect(isSendKey({ ...enter, shiftKey: true, nativeEvent: plain })).toBe(false);
    expect(isSendKey({ ...enter, key: 'a', nativeEvent: plain })).toBe(false);
    expect(isSendKey({ ...enter, nativeEvent: { isComposing: true, keyCode: 13 } })).toBe(false);
    expect(isSendKey({ ...enter, nativeEvent: { isComposing: false, keyCode: 229 } })).toBe(false);
  });

  it('and Escape belong to the input method while it is composing', () => {
    expect([
      isComposing({ isComposing: true, keyCode: 27 }),
      isComposing({ isComposing: false, keyCode: 229 }),
      isComposing({ isComposing: false, keyCode: 27 }),
    ]).toEqual([true, true, false]);
  });
});

it('the text typed after a message while it was being sent stays in the field', () => {
  expect(textAfterSending('What is this? And that', 'What is this?')).toBe('And that');
  expect(textAfterSending('What is this?', 'What is this?')).toBe('');
  expect(textAfterSending('Or that', 'What is this?')).toBe('Or that');
});

describe('the versions of a message', () => {
  const at = (id: string, time: number) => ({ ...answer(id, id), at: time });
  const branches = [
    { id: 'b3', after: 'q', turns: [at('third', 3)] },
    { id: 'b1', after: 'q', turns: [at('first', 1)] },
    { id: 'elsewhere', after: 'p', turns: [at('other', 0)] },
  ];

  it('are in order of creation regardless of the shown one', () => {
    expect(branchVersions({ branches, before: 'q', first: at('second', 2) })).toEqual({
      versions: ['b1', undefined, 'b3'],
      currentIndex: 1,
    });
  });

  it('are listed even if no version is shown', () => {
    const { versions, currentIndex } = branchVersions({ branches, before: 'q', first: undefined });
    expect({ versions, currentIndex }).toEqual({ versions: ['b1', 'b3'], currentIndex: -1 });
  });
});

describe('the chat list', () => {
  const list = sampleList('en');

  it('lists pinned conversations first', () => {
    const groups = chatGroups(list, { query: '', hits: undefined });
    expect(groups.map(({ name, rows }) => [name, rows.length])).toEqual([
      ['pinned', 1],
      ['recent', 3],
    ]);
  });

  it('limits the rows, filling the first groups first', () => {
    const groups = chatGroups(list, { query: '', hits: undefined });
    const counts = (count: number) =>
      withFirstRows(groups, count).map(({ name, rows }) => [name, rows.length]);
    expect(counts(1)).toEqual([['pinned', 1]]);
    expect(counts(3)).toEqual([
      ['pinned', 1],
      ['recent', 2],
    ]);
    expect(withFirstRows(groups, 100)).toEqual(groups);
  });

  it('shows hits with current titles, without deleted conversations', () => {
    const hits = list.map((head) => Object.assign({}, head, { excerpt: 'x', turn: '1' }));
    const now = [{ ...sampleList('en')[0], title: 'Renamed' }] as typeof list;
    expect(chatGroups(now, { query: 'l', hits })).toMatchObject([
      { name: 'found', rows: [{ title: 'Renamed', excerpt: 'x', turn: '1' }] },
    ]);
  });

  it('formats today as a time and earlier dates as days', () => {
    const now = new Date(2026, 10, 20, 18).getTime();
    expect(formatWhen(new Date(2026, 10, 20, 9, 5).getTime(), 'en', now)).toBe('9:05 AM');
    expect(formatWhen(new Date(2026, 2, 1).getTime(), 'en', now)).toBe('March 1');
    expect(formatWhen(new Date(2025, 2, 1).getTime(), 'zh', now)).toBe('2025年3月1日');
  });

  it('creates a format of dates once, not for each row', () => {
    const { DateTimeFormat } = Intl;
    const created = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function create(...given) {
      return new DateTimeFormat(...given);
    });
    const now = new Date(2026, 10, 20, 18).getTime();
    for (let day = 0; day < 60; day += 1) formatWhen(now - day * 86_400_000, 'it', now);
    const count = created.mock.calls.length;
    created.mockRestore();
    expect(count).toBe(2);
  });

  it('shows times of the zone to which the computer has moved', () => {
    const at = Date.UTC(2026, 10, 20, 9, 5);
    const timeIn = (zone: string): string => {
      vi.stubEnv('TZ', zone);
      const shown = formatWhen(at, 'en', at);
      vi.unstubAllEnvs();
      return shown;
    };
    expect(timeIn('UTC')).toBe('9:05 AM');
    expect(timeIn('Asia/Tokyo')).toBe('6:05 PM');
  });
});

describe('the announced excerpt of an answer', () => {
  it('is the whole short answer, or whole sentences of a long one', () => {
    expect(answerExcerpt('Yes.')).toBe('Yes.');
    const long = 'One sentence of it. '.repeat(40);
    expect(answerExcerpt(long).length).toBeLessThanOrEqual(600);
    expect(answerExcerpt(long)).toMatch(/it\.$/);
  });
});

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

describe('the chat screen', () => {
  it('reads the list and the options once, even if a conversation was opened before', async () => {
    const conversation = conversationOf([question('q', 'Hello')]);
    const view = {
      conversation,
      options: initialChatUiState.options,
      list: sampleList('en'),
      revision: 1,
    };
    const { actions, store, notice, inputs } = openApp({ values: { chat: view } });
    notice({ name: 'chatPatch', payload: { kind: 'replaced', conversation } });
    await actions.chat.readOnce();
    expect(store.getState().chat.list).toHaveLength(sampleList('en').length);
    await actions.chat.readOnce();
    expect(inputs('chat')).toHaveLength(1);
  });
});

describe('an options field', () => {
  it('keeps newer text when the core confirms an older value', () => {
    let typing = withSentValue(
      { ...createTypedValue<number | undefined>(undefined), text: '5' },
      5,
    );
    typing = withSentValue({ ...typing, text: '51' }, 51);
    typing = withConfirmedValue({ ...typing, text: '512' }, 5);
    expect(typing).toEqual({ text: '512', posted: 5, sent: [51] });
    expect(withConfirmedValue(typing, 51)).toEqual({ text: '512', posted: 51, sent: [] });
  });

  it('keeps newer text when the core confirms only the newest sent value', () => {
    const typing = withSentValue(withSentValue(createTypedValue(''), 'a'), 'ab');
    expect(withConfirmedValue({ ...typing, text: 'abc' }, 'ab')).toEqual({
      text: 'abc',
      posted: 'ab',
      sent: [],
    });
  });

  it('shows a value that was set elsewhere', () => {
    const typing = withSentValue(createTypedValue('a'), 'ab');
    expect(withConfirmedValue(typing, 'reset')).toEqual({
      text: 'reset',
      posted: 'reset',
      sent: [],
    });
  });
});

describe('the chat options', () => {
  it('send all changes made while the first request was pending', async () => {
    const first = deferred();
    const { actions, inputs } = openApp({ until: { setChatOptions: first.promise } });
    const pending = actions.chat.setOptions({ voice: 'ann' });
    void actions.chat.setOptions({ speech: true });
    void actions.chat.setOptions({ thinking: true });
    first.resolve();
    await pending;
    expect(inputs('setChatOptions')).toMatchObject([
      { voice: 'ann', speech: false },
      { voice: 'ann', speech: true, thinking: true },
    ]);
  });
});
