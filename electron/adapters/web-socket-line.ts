import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Endpoint } from '../../shared/endpoint.ts';
import type { Proxies } from '../ports/proxies.ts';
import { goesDirectly, openTunnel } from './proxy/open-tunnel.ts';
import type { ServerPlace } from './proxy/server-place.ts';
import { connectTrusted } from './web-socket-trust.ts';

/** A connection that is being made. */
export interface PendingLine {
  readonly destroy: () => void;
  /** The proxy that is waited for, if one is. */
  readonly waitsFor: () => string | undefined;
}

type Done = (error: Error | null, line?: Socket) => void;

/**
 * Opens the line that the upgrade request is written to: to the server itself or through a proxy, with TLS on the whole
 * way to the server where its address wants it. A proxy sees names and ports, and of wss:// nothing else.
 */
export function openServerLine(
  server: ServerPlace,
  endpoint: Endpoint,
  proxies: Proxies | undefined,
  done: Done,
): PendingLine {
  if (proxies === undefined || goesDirectly(server)) return endLine(server, endpoint, done);
  const control = new AbortController();
  let proxy: string | undefined;
  let last: PendingLine | undefined;
  const { url } = endpoint;
  const asking = (name: string): void => {
    proxy = name;
  };
  const open = async (): Promise<void> => {
    try {
      const tunnel = await openTunnel({ url, server, proxies, signal: control.signal, asking });
      // Given up while it was made.
      if (control.signal.aborted) tunnel?.destroy();
      else last = endLine(server, endpoint, done, tunnel);
    } catch (error) {
      if (!control.signal.aborted) done(error instanceof Error ? error : new Error('no tunnel'));
    }
  };
  void open();
  return {
    destroy: () => {
      control.abort();
      last?.destroy();
    },
    waitsFor: () => (last === undefined ? proxy : undefined),
  };
}

function endLine(
  server: ServerPlace,
  endpoint: Endpoint,
  done: Done,
  tunnel?: Socket,
): PendingLine {
  if (endpoint.url.startsWith('wss:'))
    return pendingOf(connectTrusted(server, endpoint, done, tunnel));
  const line = tunnel ?? connect(server);
  done(null, line);
  return pendingOf(line);
}

function pendingOf(line: Socket): PendingLine {
  return {
    destroy: () => {
      line.destroy();
    },
    waitsFor: () => undefined,
  };
}
