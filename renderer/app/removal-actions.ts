import type { Bridge, OrderedBridge } from './bridge/ordered-bridge.ts';
import type { Store } from './store.ts';
import type { UiState } from './ui-state.ts';

/** So long a deletion can be taken back. */
const undoableMs = 10_000;

/** Names of what can be asked of the core. */
export type AskedName = Parameters<Bridge['request']>[0];

interface Removal {
  /** By what lists leave it out meanwhile. */
  readonly keys: readonly string[];
  /** The sentence beside Undo. */
  readonly told: string;
  readonly remove: () => unknown;
  /** What was done to the window on the way, and is put back. */
  readonly restore?: () => unknown;
  /** What would mean something else if it were still there: it goes before any of these is asked for. */
  readonly goesBefore?: readonly AskedName[];
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
    const shown = getState().removed;
    await removal.remove();
    // Only now: the list that comes without it may be a moment behind.
    if (getState().removed === shown) setState({ removed: undefined });
  };
  return {
    remove: (removal: Removal): void => {
      void finish();
      const timer = setTimeout(() => void finish(), undoableMs);
      waiting = { removal, timer };
      setState({ removed: { keys: new Set(removal.keys), told: removal.told } });
    },
    undo: (): void => {
      const removal = take();
      setState({ removed: undefined });
      void removal?.restore?.();
    },
    /** Now, and without a way back. */
    finish,
    /** The bridge that makes a deletion final before what it would change is asked for. */
    settling: (bridge: OrderedBridge): OrderedBridge => ({
      ...bridge,
      request: (name, input) => {
        if (waiting?.removal.goesBefore?.includes(name) === true) void finish();
        return bridge.request(name, input);
      },
    }),
  };
}
