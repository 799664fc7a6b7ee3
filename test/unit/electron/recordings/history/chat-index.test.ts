import { describe, expect, it } from 'vitest';
import { createChatIndex } from '../../../../../electron/recordings/history/chat-history-source.ts';
import type { ChatItem, FoundPlace } from '../../../../../shared/recordings/history-item.ts';
import { conversation } from '../../chat/chat-session-harness.ts';

const item = (id: string): ChatItem => ({
  kind: 'chat',
  id,
  title: `Title of ${id}`,
  firstWords: '',
  at: 5,
  pinned: false,
  pictures: 0,
});

/** A history that finds these conversations at this place, for any query. */
const createHistory = (ids: readonly string[], place: FoundPlace) =>
  createChatIndex({
    list: () =>
      Promise.resolve({ ok: true, value: { entries: ids.map(item), total: 0, complete: true } }),
    search: () => {
      const entries = ids.map((id) => ({ item: item(id), place }));
      return Promise.resolve({ ok: true, value: { entries, total: 0, complete: true } });
    },
  });

describe('chat search in the history', () => {
  it('has an excerpt for a match in a turn, and none for a match in the title', async () => {
    const inTurn = createHistory(['a'], { excerpt: 'the words', marks: [], chatTurn: 't' });
    expect(await inTurn.search('words', [])).toMatchObject({ value: [{ excerpt: 'the words' }] });
    const inTitle = createHistory(['a'], { excerpt: 'Title of a', marks: [] });
    expect(await inTitle.search('title', [])).toMatchObject({ value: [{ excerpt: '' }] });
    expect(await inTitle.list()).toEqual({
      ok: true,
      value: [{ id: 'a', title: 'Title of a', updatedAt: 5, pinned: false }],
    });
  });

  it('finds newer unsaved conversations instead of stored ones, by the same rule', async () => {
    const history = createHistory(['a', 'b'], { excerpt: 'old', marks: [], chatTurn: 't' });
    const newer = [conversation('a', 'Nothing of it'), conversation('c', 'The rivers 河的源头')];
    const found = async (query: string) => {
      const hits = await history.search(query, newer);
      return hits.ok ? hits.value.map(({ id }) => id) : [];
    };
    expect(await found('RIV')).toEqual(['c', 'b']);
    expect(await found('源头')).toEqual(['c', 'b']);
    expect(await found('ivers')).toEqual(['b']);
    expect(await found('rivers nothing')).toEqual(['b']);
    expect(await found('nothing')).toEqual(['a', 'b']);
  });
});
