import type { Store } from '../store.ts';
import type { UiState } from '../ui-state.ts';

/** So long a deletion can be taken back. */
const undoableMs = 10_000;

interface Removal {
  /** By what lists leave it out meanwhile. */
  readonly key: string;
  readonly title: string;
  readonly remove: () => unknown;
  /** What was done to the window on the way, and is put back. */
  readonly restore?: () => unknown;
}

/**
 * What is deleted is gone from sight at once and from the disk a little later, so that nobody has to be asked before.
 * One at a time: the next one, or the page going away, makes the one before it final.
 */
export function createRemovalActions({ getState, setState }: Store<UiState>) {
  let waiting:
    | { readonly removal: Removal; readonly timer: ReturnType<typeof setTimeout> }
    | undefined;

  const take = (): Removal | undefined => {
    clearTimeout(waiting?.timer);
    const removal = waiting?.removal;
    waiting = undefined;
    return removal;
  };
  const finish = async (): Promise<void> => {
    const removal = take();
    if (removal === undefined) return;
    await removal.remove();
    // Only now: the list that comes without it may be a moment behind.
    if (getState().removed?.key === removal.key) setState({ removed: undefined });
  };
  return {
    remove: (removal: Removal): void => {
      void finish();
      const timer = setTimeout(() => void finish(), undoableMs);
      waiting = { removal, timer };
      setState({ removed: { key: removal.key, title: removal.title } });
    },
    undo: (): void => {
      const removal = take();
      setState({ removed: undefined });
      void removal?.restore?.();
    },
    /** Now, and without a way back. */
    finish,
  };
}
