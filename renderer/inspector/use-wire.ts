import { useEffect, useState } from 'react';
import { useAppContext, useUiState } from '../store/use-app-context.ts';
import { GraphFeed } from './graph-feed.ts';
import { WireLog } from './wire-log.ts';

/** Watches for as long as it is there, and anew where the connection to the core comes back. */
export function useWire(): { readonly log: WireLog; readonly graphs: GraphFeed } {
  const { request, listen, now, shows } = useAppContext();
  const connected = useUiState(({ connection }) => connection === 'connected');
  // What is played again counts from the beginning of its tape.
  const [log] = useState(() => new WireLog(shows === 'replay' ? 0 : undefined));
  const [graphs, setGraphs] = useState(() => new GraphFeed());
  useEffect(
    () =>
      listen((notice) => {
        if (notice.name === 'wire') log.add(notice.payload);
        else if (notice.name === 'replayScene' && shows === 'replay') {
          // After a jump another time begins: what passed before it belongs to none of it.
          log.clear();
          setGraphs(new GraphFeed());
        } else graphs.apply(notice, now());
      }),
    [listen, now, log, graphs, shows],
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
