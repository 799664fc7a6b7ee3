import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDrafts } from './open-drafts.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the search of Chat', () => {
  it('is made once for what was typed, and again where the list has become another one', async () => {
    const { actions, asked } = openDrafts();
    for (const query of ['r', 'ri', 'river']) actions.search(query);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked('searchChats')).toEqual([{ query: 'river' }]);
    for (let news = 0; news < 3; news += 1) actions.searchAgain();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked('searchChats')).toHaveLength(2);
    actions.search(' ');
    actions.searchAgain();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked('searchChats')).toHaveLength(2);
  });
});
