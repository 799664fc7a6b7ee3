import { expect, it } from 'vitest';
import type { HistoryIndex } from '../../../../../electron/recordings/history/history-index.ts';
import { done } from '../../../../../shared/errors/app-error.ts';
import { noPage } from '../../../../../shared/ipc/page.ts';
import { openHistoryOf, talkItem } from '../../../../fakes/history-library.ts';

/** An index in which every talk matches every search. */
function indexOf(ids: readonly string[]): HistoryIndex {
  const written = () => Promise.resolve(done);
  return {
    known: () => Promise.resolve({ ok: true, value: [] }),
    put: written,
    remove: written,
    find: ({ skip, count }) => {
      const items = ids.slice(skip, skip + count).map((id) => talkItem(id));
      return Promise.resolve({ ok: true, value: { items, total: ids.length } });
    },
    clear: written,
    bytes: () => Promise.resolve({ ok: true, value: 0 }),
    close: () => Promise.resolve(),
  };
}

it('a model gets as many hits as it asks for, although the first are withheld', async () => {
  const { library } = openHistoryOf([], indexOf(['a', 'b', 'c', 'd', 'e']));
  const refs = ['a', 'b'].map((id) => ({ kind: 'talk', id }) as const);
  library.withhold(refs, true, noPage.whenGone);
  const found = await library.searchAllowed('lighthouse', 2);
  expect(found.ok && found.value.map(({ item }) => item.id)).toEqual(['c', 'd']);
});
