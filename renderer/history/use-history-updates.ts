import { useEffect } from 'react';
import { useAppContext, useUiState } from '../store/use-app-context.ts';

/** While the place is looked at the list is that of the core: read when one comes, and with each change. */
export function useHistoryUpdates(): void {
  const { actions, listen } = useAppContext();
  const connected = useUiState(({ connection }) => connection !== 'lost');
  useEffect(() => {
    if (!connected) return undefined;
    void actions.history.refresh();
    return listen(({ name }) => {
      if (name === 'historyChanged') void actions.history.refresh();
    });
  }, [actions, listen, connected]);
}
