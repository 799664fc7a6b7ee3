import { useEffect, useSyncExternalStore } from 'react';
import { useActions, useUiState } from '../../store/use-app-context.ts';

/** Reads the list of sound devices, and has it updated for as long as somebody can see it. */
export function useSoundDeviceUpdates(): void {
  const { setup } = useActions();
  // A page that was cut off is another one to the core, which then does not know that it watches.
  const connected = useUiState(({ connection }) => connection === 'connected');
  const seen = useSyncExternalStore(listenToSight, () => !document.hidden);
  useEffect(() => {
    if (!connected || !seen) return undefined;
    void setup.watchDevices(true);
    void setup.readDevices();
    return () => void setup.watchDevices(false);
  }, [setup, connected, seen]);
}

function listenToSight(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => {
    document.removeEventListener('visibilitychange', changed);
  };
}
