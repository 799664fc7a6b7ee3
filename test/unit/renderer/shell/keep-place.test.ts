import { expect, it } from 'vitest';
import { keepPlace } from '../../../../renderer/shell/keep-place.ts';
import { createStore } from '../../../../renderer/store/store.ts';
import { firstView } from '../../../../renderer/store/view.ts';
import type { View } from '../../../../renderer/store/view.ts';

function storage(kept: readonly (readonly [string, string])[] = []) {
  const values = new Map(kept);
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}

it('a page that is loaded again is where it was, down to the part of the settings', () => {
  const kept = storage();
  const store = createStore<View>(firstView);
  keepPlace(kept).follow(store);
  store.change({ place: 'settings', room: { ...firstView.room, section: 'privacy' } });
  expect(keepPlace(kept).before).toMatchObject({ place: 'settings', room: { section: 'privacy' } });
});

it('what was kept and is no place any more is the first one', () => {
  const old = storage([
    ['parley.place', 'about'],
    ['parley.section', 'nowhere'],
  ]);
  expect(keepPlace(old).before).toMatchObject({ place: 'talk', room: { section: 'endpoints' } });
});
