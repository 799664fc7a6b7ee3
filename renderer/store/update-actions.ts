import type { OrderedBridge } from '../bridge/ordered-bridge.ts';
import type { Store } from './store.ts';
import type { UiState } from './ui-state.ts';

/** What a person can do about new versions; how far they have come is posted. */
export function createUpdateActions({ setState }: Store<UiState>, bridge: OrderedBridge) {
  const ask = async (name: 'checkForUpdates' | 'fetchUpdate' | 'updateSeen'): Promise<void> => {
    const reply = await bridge.request(name, undefined);
    if (!reply.ok) setState({ problem: reply.error });
  };
  return {
    readUpdates: async () => {
      await bridge.read('updates', (updates) => {
        setState({ updates });
      });
    },
    checkForUpdates: () => ask('checkForUpdates'),
    fetchUpdate: () => ask('fetchUpdate'),
    updateSeen: () => ask('updateSeen'),
    /** Parley quits, and the other one opens. */
    switchVersion: async (to: 'next' | 'previous') => {
      const reply = await bridge.request('switchVersion', { to });
      if (!reply.ok) setState({ problem: reply.error });
    },
  };
}
