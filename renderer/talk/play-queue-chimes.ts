import type { Store } from '../store/store.ts';
import type { UiState } from '../store/ui-state.ts';
import { chimeFor } from './queue-chime.ts';
import type { QueueChime } from './queue-chime.ts';

/** Wherever in Parley the person is meanwhile: who waits looks at something else. */
export function playQueueChimes(
  store: Pick<Store<UiState>, 'getState' | 'subscribe'>,
  play: (chime: QueueChime) => void,
): () => void {
  let before = store.getState().talkState.value;
  return store.subscribe(() => {
    const { talkState, settings } = store.getState();
    if (talkState.value === before) return;
    const chime = chimeFor(before, talkState.value);
    before = talkState.value;
    if (chime !== undefined && settings?.audio.chimes !== false) play(chime);
  });
}
