import { firstSettingsRoom, sections } from '../store/settings-room.ts';
import type { Store } from '../store/store.ts';
import type { Place, View } from '../store/view.ts';

const placeKey = 'parley.place';
const sectionKey = 'parley.section';
const places: readonly Place[] = ['chat', 'settings'];

/** A page that is loaded again shows the place where the person was, and the part of it. */
export function keepPlace(storage: Pick<Storage, 'getItem' | 'setItem'>): {
  readonly before: Pick<View, 'place' | 'room'>;
  readonly follow: (store: Store<View>) => void;
} {
  const kept = (key: string): string | null => storage.getItem(key);
  const keep = (key: string, value: string): void => {
    if (value !== kept(key)) storage.setItem(key, value);
  };
  const { section: first } = firstSettingsRoom;
  const section = sections.find((each) => each === kept(sectionKey)) ?? first;
  return {
    before: {
      place: places.find((place) => place === kept(placeKey)) ?? 'talk',
      room: { ...firstSettingsRoom, section },
    },
    follow: (store) => {
      store.subscribe(() => {
        const { place, room } = store.view();
        keep(placeKey, place);
        keep(sectionKey, room.section);
      });
    },
  };
}
