import { describe, expect, it } from 'vitest';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { conversation, open } from './chat-library-stage.ts';

describe('stored conversations', () => {
  it('reports a full disk once, loses nothing, and writes everything once there is room', async () => {
    const { library, store, problems } = open();
    store.full = true;
    library.save(conversation('a', 'one'));
    library.save(conversation('b', 'two'));
    await library.settled();
    library.save(conversation('a', 'one more'));
    await library.settled();
    expect(problems).toEqual([
      expect.stringMatching(/disk is full.*safe while Parley runs/u) as string,
    ]);
    expect(await library.open('b')).toMatchObject({ ok: true });
    store.full = false;
    library.save(conversation('c', 'three'));
    await library.settled();
    expect([...store.stored.keys()].toSorted()).toEqual(['a', 'b', 'c']);
    expect(store.stored.get('a')?.text).toContain('one more');
    store.full = true;
    library.save(conversation('c', 'four'));
    await library.settled();
    expect(problems).toHaveLength(2);
  });

  it('retries automatically and withdraws its warning', async () => {
    const { library, store, clock, over } = open();
    store.full = true;
    library.save(conversation('a', 'one'));
    await flushPromises();
    clock.advance(60_000);
    await flushPromises();
    expect([over, store.stored.size]).toEqual([[], 0]);
    store.full = false;
    clock.advance(60_000);
    await flushPromises();
    expect([over, [...store.stored.keys()]]).toEqual([['chatsNotStored'], ['a']]);
    const { writes } = store;
    clock.advance(60_000);
    await library.settled();
    expect(store.writes).toBe(writes);
  });

  it('writes a change after the end once, without a retry', async () => {
    const { library, store, clock, problems } = open();
    await library.end();
    library.save(conversation('a', 'one'));
    await flushPromises();
    expect(store.stored.get('a')?.text).toContain('one');
    store.full = true;
    library.save(conversation('a', 'one more'));
    await flushPromises();
    expect(problems).toHaveLength(1);
    store.full = false;
    clock.advance(60_000);
    await flushPromises();
    expect(store.stored.get('a')?.text).not.toContain('one more');
  });

  it('emits no new list while it saves an answer in progress', () => {
    const { library, changedAt } = open();
    library.save(conversation('a', 'one', { title: 'one' }));
    library.save(conversation('a', 'one and more', { title: 'one' }));
    expect(changedAt).toHaveLength(1);
    library.save(conversation('a', 'one', { title: 'one', updatedAt: 7 }));
    expect(changedAt).toHaveLength(2);
  });

  it('writes failed changes at the end, without another change', async () => {
    const { library, store } = open();
    store.full = true;
    library.save(conversation('a', 'one'));
    await library.settled();
    store.full = false;
    await library.settled();
    expect(store.stored.get('a')?.text).toContain('one');
  });
});
