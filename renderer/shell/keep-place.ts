import type { Store } from '../store/store.ts';
import type { Place, View } from '../store/view.ts';

const key = 'parley.place';
const places: readonly Place[] = ['chat', 'settings'];

/** A page that is loaded again shows the place where the person was. */
export function keepPlace(storage: Pick<Storage, 'getItem' | 'setItem'>): {
  readonly before: Place;
  readonly follow: (store: Store<View>) => void;
} {
  const kept = storage.getItem(key);
  return {
    before: places.find((place) => place === kept) ?? 'talk',
    follow: (store) => {
      store.subscribe(() => {
        const { place } = store.view();
        if (place !== storage.getItem(key)) storage.setItem(key, place);
      });
    },
  };
}
