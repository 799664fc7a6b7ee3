import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createTypedValue,
  withConfirmedValue,
  withSentValue,
} from '../../../../renderer/chat/options-sheet.tsx';
import { deferred } from '../../../fakes/deferred.ts';
import { openApp } from '../open-app.ts';
import { openDrafts } from './open-drafts.ts';

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

  it('keeps newer text when the core skips a value', () => {
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

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the chat search', () => {
  it('runs once after typing pauses, and again after the list changed', async () => {
    const { actions, asked } = openDrafts();
    for (const query of ['r', 'ri', 'river']) actions.search(query);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked('searchChats')).toEqual([{ query: 'river' }]);
    for (let change = 0; change < 3; change += 1) actions.searchAgain();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked('searchChats')).toHaveLength(2);
    actions.search(' ');
    actions.searchAgain();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked('searchChats')).toHaveLength(2);
  });
});
