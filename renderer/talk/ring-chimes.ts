import type { Store } from '../store/store.ts';
import type { View } from '../store/view.ts';
import { chimeFor } from './chime.ts';
import type { Chime } from './chime.ts';

/** Wherever in Parley the person is meanwhile: who waits looks at something else. */
export function ringChimes(
  store: Pick<Store<View>, 'view' | 'subscribe'>,
  play: (chime: Chime) => void,
): () => void {
  let before = store.view().state.value;
  return store.subscribe(() => {
    const { state, settings } = store.view();
    if (state.value === before) return;
    const chime = chimeFor(before, state.value);
    before = state.value;
    if (chime !== undefined && settings?.audio.chimes !== false) play(chime);
  });
}
