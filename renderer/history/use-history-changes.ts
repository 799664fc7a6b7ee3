import { useEffect } from 'react';
import { useAppContext, useUiState } from '../app/app-context.ts';

/** Reads the history when the page connects, and again after each change. `read` must keep its identity. */
export function useHistoryChanges(read: () => Promise<void>): void {
  const { listen } = useAppContext();
  const isConnected = useUiState(({ connection }) => connection === 'connected');
  useEffect(() => {
    if (!isConnected) return undefined;
    void read();
    return listen(({ name }) => {
      if (name === 'historyChanged') void read();
    });
  }, [read, listen, isConnected]);
}
