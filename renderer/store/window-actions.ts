import type { OrderedBridge } from '../bridge/ordered-bridge.ts';
import type { Store } from './store.ts';
import type { UiState } from './ui-state.ts';

/** What a person can do with the program's own windows; in a browser there are none, and no buttons. */
export function createWindowActions({ setState }: Store<UiState>, bridge: OrderedBridge) {
  const ask = async (
    name: 'showMini' | 'closeMini' | 'showMain' | 'quit' | 'dismissLink',
  ): Promise<void> => {
    const reply = await bridge.request(name, undefined);
    if (!reply.ok) setState({ problem: reply.error });
  };
  return {
    readWindows: async () => {
      await bridge.read('windows', (windows) => {
        setState({ windows });
      });
    },
    readLink: async () => {
      await bridge.read('openedLink', (openedLink) => {
        setState({ openedLink });
      });
    },
    dismissLink: () => ask('dismissLink'),
    showMini: () => ask('showMini'),
    closeMini: () => ask('closeMini'),
    showMain: () => ask('showMain'),
    quit: () => ask('quit'),
  };
}
