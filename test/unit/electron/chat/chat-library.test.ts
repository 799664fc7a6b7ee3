import { describe, expect, it } from 'vitest';
import type { ChatLibrary } from '../../../../electron/chat/chat-library.ts';
import type { ChatThread, Part } from '../../../../shared/chat/chat-thread.ts';
import { cpuTime } from '../../../fakes/cpu-time.ts';
import { conversation, open } from './chat-library-stage.ts';

const ids = (library: ChatLibrary) => library.list().map(({ id }) => id);
const hits = async (library: ChatLibrary, query: string) => {
  const found = await library.search(query);
  if (!found.ok) throw new Error(found.error.code);
  return found.value;
};
const found = async (library: ChatLibrary, query: string) =>
  (await hits(library, query)).map(({ id }) => id);

describe('the list', () => {
  it('has pinned ones first, then the newest', async () => {
    const { library } = open();
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

describe('the search', () => {
  it('finds words in titles and turns, ignoring case, accents and width', async () => {
    const { library } = open();
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
    expect(await found(library, 'cafe')).toEqual(['a', 'c']);
  });

  it('shows the place, even in long texts and after characters that grow by folding', async () => {
    const { library } = open();
    library.save(conversation('a', `${'ﬁ é '.repeat(50)}the needle is here ${'x '.repeat(100)}`));
    const [hit] = await hits(library, 'NEEDLE');
    expect(hit?.excerpt).toMatch(/^….{10,30}needle is here.*…$/u);
    library.save(conversation('a', 'nothing', { title: 'needle' }));
    expect((await hits(library, 'needle'))[0]?.excerpt).toBe('');
  });

  it('takes linear time in thousands of turns', async () => {
    const { library } = open({ keep: false });
    for (let index = 0; index < 300; index += 1) {
      library.save(conversation(`a${index}`, `${'Some words in a row. '.repeat(500)}${index}!`));
    }
    expect(await found(library, '123! row')).toEqual(['a123']);
    const once = await cpuTime(() => {
      for (let index = 0; index < 300; index += 1) {
        'Some words in a row. '.repeat(500).normalize('NFKC').toLowerCase().includes('123!');
      }
    });
    expect(await cpuTime(() => library.search('123! row'))).toBeLessThan(20 * once + 20);
  });
});

describe('the storage of chats', () => {
  it('writes nothing while it is off, and everything once it is on', async () => {
    const { library, store } = open({ keep: false });
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

  it('restores everything after a restart, including pictures, sounds and branches', async () => {
    const { library, store, media } = open();
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
    const later = open({ store });
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

  it('keeps the pictures of a conversation that was only renamed', async () => {
    const { library, store, media } = open();
    media.put('p1', { type: 'image', file: Uint8Array.of(7) });
    const turns: ChatThread['turns'] = [
      { role: 'user', id: 'q', at: 1, parts: [{ type: 'image', media: 'p1' }] },
    ];
    library.save(conversation('a', 'one', { turns }));
    await library.settled();
    const later = open({ store });
    await later.library.refresh();
    await later.library.rename('a', 'Other');
    await later.library.settled();
    await later.library.open('a');
    expect(later.media.get('p1')).toBeDefined();
    store.stored.get('a')?.media.clear();
    const last = open({ store });
    await last.library.refresh();
    expect(await last.library.open('a')).toMatchObject({ ok: true, value: { title: 'Other' } });
    expect(last.problems).toEqual([
      expect.stringContaining('picture of this chat is missing') as string,
    ]);
  });

  it('sets aside a damaged conversation when it is opened, names it, and keeps the others', async () => {
    const { library, store, problems } = open();
    library.save(conversation('a', 'one'));
    await library.settled();
    const whole = store.stored.get('a')?.text ?? '';
    store.put('b', whole.slice(0, 40));
    store.put('c', '{"version":1,"conversation":{"id":"c"}}');
    store.put('d', whole);
    const later = open({ store });
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

  it('removes one and all, in memory, in the store and from pending writes', async () => {
    const { library, store, media } = open();
    media.put('p1', { type: 'image', file: Uint8Array.of(7) });
    const turns: ChatThread['turns'] = [
      { role: 'user', id: 'q', at: 1, parts: [{ type: 'image', media: 'p1' }] },
    ];
    library.save(conversation('a', 'one', { turns }));
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
