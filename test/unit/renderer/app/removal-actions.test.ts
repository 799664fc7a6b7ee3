import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openApp } from '../open-app.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function open() {
  const { asked, store, actions } = openApp();
  await vi.advanceTimersByTimeAsync(0);
  asked.length = 0;
  const gone: string[] = [];
  const remove = (key: string, more = {}) => {
    actions.removal.remove({
      keys: [key],
      message: `${key} was deleted.`,
      remove: () => gone.push(key),
      ...more,
    });
  };
  return { actions, asked, gone, remove, removed: () => store.getState().removed };
}

it('a removed entry is deleted after ten seconds', async () => {
  const { gone, remove, removed } = await open();
  remove('turn 1');
  expect(removed()).toEqual({ keys: new Set(['turn 1']), message: 'turn 1 was deleted.' });
  await vi.advanceTimersByTimeAsync(9_900);
  expect(gone).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(gone).toEqual(['turn 1']);
  expect(removed()).toBeUndefined();
});

it('Undo restores the entry and the window state', async () => {
  const { actions, gone, remove, removed } = await open();
  const restore = vi.fn();
  remove('talk 1', { restore });
  actions.removal.undo();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(gone).toEqual([]);
  expect(restore).toHaveBeenCalledOnce();
  expect(removed()).toBeUndefined();
});

it('a deletion completes when the next one starts', async () => {
  const { gone, remove, removed } = await open();
  remove('talk 1');
  remove('talk 2');
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toEqual(['talk 1']);
  expect(removed()?.message).toBe('talk 2 was deleted.');
});

it('a deletion starts before a request that depends on it', async () => {
  const { actions, asked, remove, gone } = await open();
  const order: string[] = [];
  remove('turn 1', {
    completeBefore: ['sendChat', 'openChat'],
    remove: () => order.push('removed'),
  });
  await actions.chat.rename('chat-1', 'Verbs');
  expect(order).toEqual([]);
  const opened = actions.chat.open('chat-2');
  order.push(...asked.filter(({ name }) => name === 'openChat').map(({ name }) => name));
  await opened;
  expect(order).toEqual(['removed', 'openChat']);
  actions.removal.undo();
  expect(gone).toEqual([]);
});
