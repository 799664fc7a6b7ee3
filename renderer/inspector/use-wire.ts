import { useEffect, useState } from 'react';
import { useAppContext, useUiState } from '../store/use-app-context.ts';
import { GraphFeed } from './graph-feed.ts';
import { WireLog } from './wire-log.ts';

/** Watches for as long as it is there, and anew where the connection to the core comes back. */
export function useWire(): { readonly log: WireLog; readonly graphs: GraphFeed } {
  const { request, listen, now } = useAppContext();
  const connected = useUiState(({ connection }) => connection === 'connected');
  const [log] = useState(() => new WireLog());
  const [graphs] = useState(() => new GraphFeed());
  useEffect(
    () =>
      listen((notice) => {
        if (notice.name === 'wire') log.add(notice.payload);
        else graphs.apply(notice, now());
      }),
    [listen, now, log, graphs],
  );
  useEffect(() => {
    if (!connected) return undefined;
    void request('watchWire', { on: true });
    return () => {
      void request('watchWire', { on: false });
    };
  }, [request, connected]);
  return { log, graphs };
}
