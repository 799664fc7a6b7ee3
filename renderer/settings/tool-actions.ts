import type { Ask, OrderedBridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import type { ToolRef } from '../../shared/tools/tools-view.ts';

export function createToolActions(store: Store<UiState>, bridge: OrderedBridge, ask: Ask) {
  return {
    read: () => bridge.read('tools', (toolsView) => store.setState({ toolsView })),
    cancelReminder: (id: number) => ask('cancelReminder', { id }),
    shareFile: () => ask('shareFile', undefined),
    shareFolder: () => ask('shareFolder', undefined),
    unshare: (path: string) => ask('unsharePlace', { path }),
    addServers: (text: string) => ask('addToolServers', { text }),
    importServers: () => ask('importToolServers', undefined),
    findServers: async (): Promise<void> => {
      const reply = await bridge.request('findToolServers', undefined);
      store.setState(reply.ok ? { foundServers: reply.value } : { problem: reply.error });
    },
    /** Resolves whether all were added. */
    addFound: async (ids: readonly string[]): Promise<boolean> => {
      const added = await ask('addFoundServers', { ids: [...ids] });
      if (added) store.setState({ foundServers: undefined });
      return added;
    },
    removeServer: (id: string) => ask('removeToolServer', { id }),
    lookAtServer: (id: string) => ask('lookAtToolServer', { id }),
    switchTool: (id: string, tool: string, isOn: boolean) =>
      ask('switchServerTool', { id, tool, isOn }),
    askAgain: ({ server, tool }: ToolRef) => ask('askAgainForTool', { server, tool }),
    dismissReminder: (id: number) => ask('dismissReminder', { id }),
  };
}
