import { describe, expect, it } from 'vitest';
import type { ChatLibrary } from '../../../../electron/chat/chat-library.ts';
import { unavailableKeptChats } from '../../../fakes/fake-chat-store.ts';
import { conversation, open } from './chat-library-stage.ts';

const ids = (library: ChatLibrary) => library.list().map(({ id }) => id);

describe('conversations of earlier runs', () => {
  const head = { id: 'a', title: 'one', updatedAt: 1, pinned: false };

  /** A store that counts what is read, and a history that is slower than its store. */
  async function stored() {
    const { library, store } = open();
    for (const id of ['a', 'b']) library.save(conversation(id, 'one'));
    await library.settled();
    let reads = 0;
    const counted = Object.assign(store, {
      read: ((read) => (id: string) => {
        reads += 1;
        return read(id);
      })(store.read),
    });
    let listed = [head, { ...head, id: 'b' }];
    const index = {
      ...unavailableKeptChats,
      list: () => Promise.resolve({ ok: true, value: listed } as const),
    };
    const later = open({ store: counted, index });
    await later.library.refresh();
    return {
      ...later,
      reads: () => reads,
      lists: (heads: typeof listed) => {
        listed = heads;
        return later.library.refresh();
      },
    };
  }

  it('are listed without being read, and each is read once when opened', async () => {
    const { library, reads } = await stored();
    expect([ids(library), reads()]).toEqual([['a', 'b'], 0]);
    await library.open('b');
    await library.open('b');
    expect(reads()).toBe(1);
    expect(await library.pin('a', true)).toMatchObject({ ok: true });
    expect([library.list()[0]?.id, reads()]).toEqual(['a', 2]);
  });

  it('stay deleted while the history still lists them', async () => {
    const { library, lists } = await stored();
    const leaving = library.remove('a');
    await lists([head, { ...head, id: 'b' }]);
    expect(ids(library)).toEqual(['b']);
    await leaving;
    expect(await library.open('a')).toMatchObject({ ok: false });
    const all = library.removeAll();
    await lists([{ ...head, id: 'b' }]);
    expect(ids(library)).toEqual([]);
    await all;
  });

  it('stay deleted if one is renamed during its removal', async () => {
    const { library, store } = await stored();
    const remove = store.remove;
    // Deleting takes longer than reading.
    Object.assign(store, {
      remove: async (id: string) => {
        await new Promise(setImmediate);
        return remove(id);
      },
    });
    const leaving = library.remove('a');
    expect(await library.rename('a', 'another')).toMatchObject({ ok: false });
    await leaving;
    await library.settled();
    expect([...store.stored.keys()]).toEqual(['b']);
  });

  it('follow the folders, and the list is posted only if it changed', async () => {
    const { library, lists, changedAt } = await stored();
    const before = changedAt.length;
    await lists([head, { ...head, id: 'b' }]);
    expect(changedAt).toHaveLength(before);
    await lists([head, { ...head, id: 'c', title: 'of another Parley' }]);
    expect(changedAt).toHaveLength(before + 1);
    expect(ids(library)).toEqual(['a', 'c']);
  });

  it('are reported as unavailable without the history, and this run’s are listed', async () => {
    const { library, problems } = open({ index: unavailableKeptChats });
    await library.refresh();
    library.save(conversation('a', 'one'));
    expect(problems).toHaveLength(1);
    expect(ids(library)).toEqual(['a']);
    expect(await library.search('one')).toMatchObject({ error: { code: 'historyIndexLost' } });
  });
});
