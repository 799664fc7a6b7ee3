import type { DuplexMode } from '../../../shared/protocol/dialect-and-mode.ts';
import type { Store } from '../store.ts';
import type { UiState } from '../ui-state.ts';

interface Deps {
  readonly store: Store<UiState>;
  readonly end: () => Promise<void>;
  readonly start: (mode: DuplexMode) => Promise<void>;
}

/** A talk that began without pictures never has any: one that goes on ends first, and a new one begins with them. */
export function createStartWithPictures({ store, end, start }: Deps): () => Promise<void> {
  const isOver = (): boolean => ['idle', 'ended'].includes(store.getState().talkState.value.phase);
  const over = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = store.subscribe(() => {
        if (!isOver()) return;
        stop();
        resolve();
      });
    });
  return async () => {
    if (!isOver()) {
      const ended = over();
      await end();
      await ended;
    }
    await start('video');
  };
}
