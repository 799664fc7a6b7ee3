import type { Bridge, OrderedBridge } from './bridge/ordered-bridge.ts';
import type { Store } from './store.ts';
import type { UiState } from './ui-state.ts';

const undoableMs = 10_000;

export type BridgeRequestName = Parameters<Bridge['request']>[0];

interface Removal {
  readonly keys: readonly string[];
  /** The text beside Undo. */
  readonly message: string;
  readonly remove: () => unknown;
  readonly restore?: () => unknown;
  /** Requests that depend on the deletion. It starts before they are sent. */
  readonly completeBefore?: readonly BridgeRequestName[];
}

/**
 * Hides deleted entries at once and deletes them after a delay. Offers Undo instead of a confirmation dialog. At most
 * one deletion is pending. A second deletion, or navigation away, completes it.
 */
export function createRemovalActions({ getState, setState }: Store<UiState>) {
  let pending:
    | { readonly removal: Removal; readonly timer: ReturnType<typeof setTimeout> }
    | undefined;

  const clearPending = (): Removal | undefined => {
    clearTimeout(pending?.timer);
    const removal = pending?.removal;
    pending = undefined;
    return removal;
  };
  const finish = async (): Promise<void> => {
    const removal = clearPending();
    if (removal === undefined) return;
    const removed = getState().removed;
    await removal.remove();
    // After the deletion, because the updated list may arrive later.
    if (getState().removed === removed) setState({ removed: undefined });
  };
  return {
    remove: (removal: Removal): void => {
      void finish();
      const timer = setTimeout(() => void finish(), undoableMs);
      pending = { removal, timer };
      setState({ removed: { keys: new Set(removal.keys), message: removal.message } });
    },
    undo: (): void => {
      const removal = clearPending();
      setState({ removed: undefined });
      void removal?.restore?.();
    },
    /** Completes the deletion now; it cannot be undone afterwards. */
    finish,
    /** A bridge that starts the deletion before a request that depends on it, without waiting for the deletion. */
    wrapBridge: (bridge: OrderedBridge): OrderedBridge => ({
      ...bridge,
      request: (name, input) => {
        if (pending?.removal.completeBefore?.includes(name) === true) void finish();
        return bridge.request(name, input);
      },
    }),
  };
}
