import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDrafts } from './open-drafts.ts';

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
