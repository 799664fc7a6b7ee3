import { describe, expect, it } from 'vitest';
import { ChatLibrary } from '../../../../electron/chat/chat-library.ts';
import { findOldChats, serializeChat } from '../../../../electron/chat/stored-chat.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import type { AssistantTurn, Part } from '../../../../shared/chat/chat-thread.ts';
import {
  unavailableChatIndex,
  FakeChatStore,
  chatIndexFromStore,
} from '../../../fakes/fake-stores.ts';
import { conversation } from './open-thread-harness.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import { MediaCache } from '../../../../electron/chat/attachments.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';

const ids = (library: ChatLibrary) => library.list().map(({ id }) => id);
const hits = async (library: ChatLibrary, query: string) => {
  const found = await library.search(query);
  if (!found.ok) throw new Error(found.error.code);
  return found.value;
};
const found = async (library: ChatLibrary, query: string) =>
  (await hits(library, query)).map(({ id }) => id);

describe('the list of conversations', () => {
  it('has the pinned first, then the newest', async () => {
    const { library } = openLibrary();
    library.save(conversation('a', 'one', { updatedAt: 3 }));
    library.save(conversation('b', 'two', { updatedAt: 5 }));
    library.save(conversation('c', 'three', { updatedAt: 4 }));
    expect(ids(library)).toEqual(['b', 'c', 'a']);
    await library.pin('a', true);
    expect(ids(library)).toEqual(['a', 'b', 'c']);
    library.save(conversation('a', 'one', { updatedAt: 9 }));
    await library.rename('c', '  Third ');
    expect(library.list()).toMatchObject([{ pinned: true }, { id: 'b' }, { title: 'Third' }]);
    expect(await library.rename('x', 'y')).toMatchObject({ ok: false });
  });
});

describe('the search of conversations', () => {
  it('finds words in titles and turns, ignoring case, accents and width', async () => {
    const { library } = openLibrary();
    library.save(conversation('a', 'Ein Café in Zürich, ΟΔΟΣΑ'));
    library.save(conversation('b', '今天天气怎么样？ＡＢＣ'));
    library.save(conversation('c', 'Something else'));
    for (const query of ['cafe', 'CAFÉ', 'zurich café', 'οδός', ' Ein ']) {
      expect(await found(library, query)).toEqual(['a']);
    }
    for (const query of ['天气', '天氣'.slice(0, 1), 'abc'])
      expect(await found(library, query)).toEqual(['b']);
    expect(await found(library, 'cafe else')).toEqual([]);
    expect(await found(library, '  ')).toEqual([]);
    await library.rename('c', 'Café');
    await library.settled();
    expect(await found(library, 'cafe')).toEqual(['a', 'c']);
  });
});

describe('an old stored chat', () => {
  it('is older than the age that the user set, and not pinned', async () => {
    const store = new FakeChatStore();
    const times = { old: 5, pinned: 5, new: 20 };
    for (const [id, updatedAt] of Object.entries(times)) {
      const chat = conversation(id, 'Hello', { updatedAt, pinned: id === 'pinned' });
      store.put(id, serializeChat(chat));
    }
    const value = [...store.stored.keys()].map((id) => ({ id, version: '5 100' }));
    const list: FakeChatStore['list'] = () => Promise.resolve({ ok: true, value });
    expect(await findOldChats({ list, read: store.read }, 10)).toMatchObject({ value: ['old'] });
  });
});

describe('the storage of chats', () => {
  it('writes nothing while storing is off, and everything when it is turned on', async () => {
    const { library, store } = openLibrary({ keep: false });
    library.save(conversation('a', 'one'));
    await library.settled();
    expect(store.writes).toBe(0);
    library.setKeep(true);
    await library.settled();
    expect([...store.stored.keys()]).toEqual(['a']);
    library.setKeep(false);
    library.save(conversation('a', 'two'));
    library.save(conversation('b', 'two'));
    await library.settled();
    expect(store.writes).toBe(1);
    expect(store.stored.get('a')?.text).toContain('one');
  });

  it('writes nothing again when another setting changes', async () => {
    const { library, store } = openLibrary();
    library.save(conversation('a', 'one'));
    library.save(conversation('b', 'two'));
    await library.settled();
    // Another Parley has deleted this one.
    await store.remove('b');
    library.setKeep(true);
    await library.settled();
    expect([...store.stored.keys()]).toEqual(['a']);
    expect(store.writes).toBe(2);
  });

  it('restores everything after a restart, including pictures, sounds and branches', async () => {
    const { library, store, media } = openLibrary();
    const samples = Float32Array.of(0, 0.5, -0.5);
    media.put('p1', { type: 'image', file: Uint8Array.of(7) });
    media.put('s1', { type: 'audio', samples });
    const parts: readonly Part[] = [{ type: 'image', media: 'p1' }];
    const before = conversation('a', 'one', {
      turns: [
        { role: 'user', id: 'q', at: 1, parts },
        {
          role: 'assistant',
          id: 'r',
          at: 1,
          text: 'Half',
          state: { kind: 'streaming' },
          speechSeconds: 3,
          stats: { totalMs: 5, firstMs: undefined },
        },
      ],
      branches: [
        {
          id: 'u',
          after: undefined,
          turns: [
            { role: 'user', id: 'v', at: 1, parts: [{ type: 'audio', media: 's1', seconds: 1 }] },
          ],
        },
      ],
    });
    library.save(before);
    await library.settled();
    const later = openLibrary({ store });
    await later.library.refresh();
    const opened = await later.library.open('a');
    expect(opened).toMatchObject({
      ok: true,
      value: {
        title: 'one',
        turns: [
          { parts },
          {
            text: 'Half',
            state: { kind: 'failed', error: { code: 'answerCutByCrash' } },
            speechSeconds: 0,
          },
        ],
        branches: before.branches.map(({ id, turns }) => ({ id, turns })),
      },
    });
    expect(later.media.get('p1')).toEqual({ type: 'image', file: Uint8Array.of(7) });
    expect(later.media.get('s1')).toEqual({ type: 'audio', samples });
    expect(later.problems).toEqual([]);
  });

  it('takes over an answer that another Parley was still writing when this one read it', async () => {
    const threadWith = (text: string, state: AssistantTurn['state']) => {
      const thread = conversation('a', 'one');
      const answer = { role: 'assistant', id: 'r', at: 1, text, state, speechSeconds: 0 } as const;
      return { ...thread, turns: [...thread.turns, answer] };
    };
    const other = openLibrary();
    other.library.save(threadWith('Half', { kind: 'streaming' }));
    await other.library.settled();
    const { library, store } = openLibrary({ store: other.store });
    const read = await library.open('a');
    if (!read.ok) throw new Error(read.error.code);
    expect(read.value.turns[1]).toMatchObject({ state: { kind: 'failed' } });
    other.library.save(threadWith('Half and whole', { kind: 'done', cutShort: false }));
    await other.library.settled();
    library.save({ ...read.value, title: 'Open here' });
    await library.settled();
    library.save({ ...read.value, title: 'Still open here' });
    await library.settled();
    expect(store.stored.get('a')?.text).toMatch(/Still open here[^]*Half and whole/u);
    const whole = { text: 'Half and whole', state: { kind: 'done' } };
    expect(await library.open('a')).toMatchObject({ value: { turns: [{}, whole] } });
  });

  it('keeps the pictures of a conversation that was only renamed', async () => {
    const { library, store, media } = openLibrary();
    media.put('p1', { type: 'image', file: Uint8Array.of(7) });
    const parts: readonly Part[] = [{ type: 'image', media: 'p1' }];
    library.save(conversation('a', 'one', { turns: [{ role: 'user', id: 'q', at: 1, parts }] }));
    await library.settled();
    const later = openLibrary({ store });
    await later.library.refresh();
    await later.library.rename('a', 'Other');
    await later.library.settled();
    await later.library.open('a');
    expect(later.media.get('p1')).toBeDefined();
    store.stored.get('a')?.media.clear();
    const last = openLibrary({ store });
    await last.library.refresh();
    expect(await last.library.open('a')).toMatchObject({ ok: true, value: { title: 'Other' } });
    expect(last.problems).toEqual([
      expect.stringContaining('picture of this chat is missing') as string,
    ]);
  });

  it('sets aside a damaged conversation when it is opened, and reports its new path', async () => {
    const { library, store, problems } = openLibrary();
    library.save(conversation('a', 'one'));
    await library.settled();
    const stored = store.stored.get('a')?.text ?? '';
    store.put('b', stored.slice(0, 40));
    store.put('c', '{"version":1,"conversation":{"id":"c"}}');
    store.put('d', stored);
    const later = openLibrary({ store });
    await later.library.refresh();
    expect(ids(later.library)).toEqual(['a']);
    for (const id of ['b', 'c', 'd'])
      expect(await later.library.open(id)).toMatchObject({ error: { code: 'chatGone' } });
    expect(await later.library.open('a')).toMatchObject({ ok: true });
    expect([...store.aside.keys()]).toEqual(['b', 'c', 'd']);
    expect(later.problems).toHaveLength(3);
    expect(later.problems[0]).toContain('/damaged-chats/b');
    expect(problems).toEqual([]);
  });

  it('removes one or all conversations from memory, the store and pending writes', async () => {
    const { library, store, media } = openLibrary();
    media.put('p1', { type: 'image', file: Uint8Array.of(7) });
    const parts: readonly Part[] = [{ type: 'image', media: 'p1' }];
    library.save(conversation('a', 'one', { turns: [{ role: 'user', id: 'q', at: 1, parts }] }));
    library.save(conversation('b', 'two'));
    library.save(conversation('c', 'three'));
    expect(await library.remove('a')).toEqual({ ok: true, value: undefined });
    expect(media.get('p1')).toBeUndefined();
    expect([...store.stored.keys()]).toEqual(['b', 'c']);
    await library.removeAll();
    expect(ids(library)).toEqual([]);
    expect(store.stored.size).toBe(0);
    expect(await library.open('a')).toMatchObject({ ok: false });
  });
});

describe('conversations of earlier runs', () => {
  const head = { id: 'a', title: 'one', updatedAt: 1, pinned: false };

  /** A library over a store that counts reads, and a history whose list the test sets. */
  async function openStored() {
    const { library, store } = openLibrary();
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
      ...unavailableChatIndex,
      list: () => Promise.resolve({ ok: true, value: listed } as const),
    };
    const later = openLibrary({ store: counted, index });
    await later.library.refresh();
    return {
      ...later,
      reads: () => reads,
      setListed: (heads: typeof listed) => {
        listed = heads;
        return later.library.refresh();
      },
    };
  }

  it('are listed without being read, and each is read when opened', async () => {
    const { library, reads } = await openStored();
    expect([ids(library), reads()]).toEqual([['a', 'b'], 0]);
    await library.open('b');
    expect(reads()).toBe(1);
    expect(await library.pin('a', true)).toMatchObject({ ok: true });
    await library.settled();
    // Three reads: b once when it was opened, a once to be pinned and once before it was written.
    expect([library.list()[0]?.id, reads()]).toEqual(['a', 3]);
  });

  it('follow the history, and the list is posted only if it changed', async () => {
    const { library, setListed, changedAt } = await openStored();
    const before = changedAt.length;
    await setListed([head, { ...head, id: 'b' }]);
    expect(changedAt).toHaveLength(before);
    await setListed([head, { ...head, id: 'c', title: 'of another Parley' }]);
    expect(changedAt).toHaveLength(before + 1);
    expect(ids(library)).toEqual(['a', 'c']);
  });

  it('stay deleted even if the history still lists them', async () => {
    const { library, setListed } = await openStored();
    const leaving = library.remove('a');
    await setListed([head, { ...head, id: 'b' }]);
    expect(ids(library)).toEqual(['b']);
    await leaving;
    expect(await library.open('a')).toMatchObject({ ok: false });
    const all = library.removeAll();
    await setListed([{ ...head, id: 'b' }]);
    expect(ids(library)).toEqual([]);
    await all;
  });

  it('are listed again if they cannot be deleted', async () => {
    const { library, store } = await openStored();
    const readOnly = failure('readOnly', { path: 'chats' });
    Object.assign(store, { remove: () => Promise.resolve(readOnly) });
    expect([await library.remove('a'), ids(library)]).toEqual([readOnly, ['a', 'b']]);
  });

  it('stay deleted if they are renamed during their removal', async () => {
    const { library, store } = await openStored();
    const remove = store.remove;
    // Deleting takes longer than reading.
    Object.assign(store, { remove: (id: string) => flushPromises().then(() => remove(id)) });
    const leaving = library.remove('a');
    expect(await library.rename('a', 'another')).toMatchObject({ ok: false });
    await leaving;
    await library.settled();
    expect([...store.stored.keys()]).toEqual(['b']);
  });

  it('are reported as unavailable without the history, while conversations of this run are listed', async () => {
    const { library, problems } = openLibrary({ index: unavailableChatIndex });
    await library.refresh();
    library.save(conversation('a', 'one'));
    expect(problems).toHaveLength(1);
    expect(ids(library)).toEqual(['a']);
    expect(await library.search('one')).toMatchObject({ error: { code: 'historyIndexLost' } });
  });
});

describe('conversations on a full disk', () => {
  it('are reported once, stay readable, and are all written with the next change after space is free', async () => {
    const { library, store, write, problems } = openLibrary();
    store.full = true;
    library.save(conversation('a', 'one'));
    await write('b', 'two');
    await write('a', 'one more');
    expect(problems).toEqual([
      expect.stringMatching(/disk is full.*safe while Parley runs/u) as string,
    ]);
    expect(await library.open('b')).toMatchObject({ ok: true });
    store.full = false;
    await write('c', 'three');
    expect([...store.stored.keys()].toSorted()).toEqual(['a', 'b', 'c']);
    expect(store.stored.get('a')?.text).toContain('one more');
    store.full = true;
    await write('c', 'four');
    expect(problems).toHaveLength(2);
  });

  it('are written again even without a change, and the warning is withdrawn on success or after their deletion', async () => {
    const { library, store, clock, withdrawn } = openLibrary();
    store.full = true;
    library.save(conversation('a', 'one'));
    await flushPromises();
    clock.advance(60_000);
    await flushPromises();
    expect([withdrawn, store.stored.size, library.problems.length]).toEqual([[], 0, 1]);
    await library.remove('a');
    expect([withdrawn.splice(0), library.problems]).toEqual([['chatsNotStored'], []]);
    library.save(conversation('a', 'one'));
    await flushPromises();
    store.full = false;
    clock.advance(60_000);
    await flushPromises();
    expect([withdrawn, [...store.stored.keys()]]).toEqual([['chatsNotStored'], ['a']]);
    clock.advance(60_000);
    await library.settled();
    expect(store.writes).toBe(1);
  });

  it('keep the warning while another one is written, have one for each cause, and wait for a change if they are too large', async () => {
    const { store, write, problems, withdrawn } = openLibrary();
    store.tooLarge.add('a');
    await write('a', 'one');
    store.tooLarge.clear();
    for (const full of [false, true, true, false]) {
      store.full = full;
      await write('b', 'one');
    }
    expect(problems.map((text) => /large|full/u.exec(text)?.[0])).toEqual(['large', 'full']);
    expect([withdrawn, [...store.stored.keys()]]).toEqual([[], ['b']]);
    await write('a', 'two');
    expect(withdrawn).toEqual(['chatsNotStored']);
  });

  it('are written at the end without another change, and are not stored during a write that can fail', async () => {
    const { library, store, write } = openLibrary();
    store.full = true;
    const during = new Set<boolean>();
    store.onWrite = () => during.add(library.isStored('a'));
    await write('a', 'one');
    store.full = false;
    await library.settled();
    expect([...during, store.stored.has('a')]).toEqual([false, true]);
  });
});

function openLibrary({
  keep = true,
  store = new FakeChatStore(),
  media = new MediaCache(),
  index = chatIndexFromStore(store),
} = {}) {
  const problems: string[] = [];
  const withdrawn: string[] = [];
  const changedAt: number[] = [];
  const clock = new FakeClock();
  const deps = { store, index, media, clock };
  const library = new ChatLibrary(keep, {
    ...deps,
    emit: (event) => {
      if (event.kind === 'problem') problems.push(englishErrorMessage(event.error));
      else if (event.kind === 'problemOver') withdrawn.push(event.code);
      else changedAt.push(clock.now());
    },
  });
  const write = (id: string, text: string): Promise<void> => {
    library.save(conversation(id, text));
    return library.settled();
  };
  return { ...deps, library, write, problems, withdrawn, changedAt };
}
