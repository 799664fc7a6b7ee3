import type { Socket } from 'node:net';
import { isLoopbackHost } from '../../../shared/proxy/loopback-host.ts';
import { proxyName } from '../../../shared/proxy/proxy-address.ts';
import type { Proxy } from '../../../shared/proxy/proxy-address.ts';
import type { Proxies } from '../../ports/proxies.ts';
import { openConnectTunnel } from './connect-tunnel.ts';
import { isProxyMissing, ProxyError, slowFault } from './proxy-fault.ts';
import { hostPortText } from './server-place.ts';
import type { ServerPlace } from './server-place.ts';
import { openSocksTunnel } from './socks-tunnel.ts';

/** Less than a test of a server, and than its own connection, may take. */
const usualPatienceMs = 6000;

export interface TunnelOrder {
  /** The server's address: by its scheme, name and port the way is chosen. */
  readonly url: string;
  readonly server: ServerPlace;
  readonly proxies: Proxies;
  readonly signal: AbortSignal;
  /** How long one proxy is waited for. */
  readonly patienceMs?: number | undefined;
  /** Which proxy is waited for, as a sentence calls it. */
  readonly asking?: ((proxy: string) => void) | undefined;
}

/** Whether nobody is asked for a way to it: what stays on this machine goes by no proxy, whatever is set. */
export function goesDirectly({ host }: Pick<ServerPlace, 'host'>): boolean {
  return isLoopbackHost(host);
}

/**
 * A line to the server by the first of its proxies that is there; nothing where it is to be reached without one.
 * Rejects with a `ProxyError`.
 */
export async function openTunnel(order: TunnelOrder): Promise<Socket | undefined> {
  const { url, server, proxies, signal, asking } = order;
  if (goesDirectly(server)) return undefined;
  const routes = await proxies.routesTo(url);
  if (!routes.ok) throw new ProxyError(routes.error, true);
  let missing: ProxyError | undefined;
  for (const route of routes.value) {
    if (route === 'direct') return undefined;
    asking?.(proxyName(route));
    try {
      const line = await ask(route, order);
      if (!signal.aborted) return line;
      // Nobody waits for it any more.
      line.destroy();
      throw new Error('given up');
    } catch (error) {
      if (signal.aborted || !(error instanceof ProxyError) || !isProxyMissing(error)) throw error;
      missing ??= error;
    }
  }
  if (missing !== undefined) throw missing;
  return undefined;
}

async function ask(proxy: Proxy, order: TunnelOrder): Promise<Socket> {
  const { server, signal, patienceMs = usualPatienceMs } = order;
  const open = proxy.scheme.startsWith('socks') ? openSocksTunnel : openConnectTunnel;
  const control = new AbortController();
  const stop = (): void => {
    control.abort();
  };
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, patienceMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await open(proxy, server, control.signal);
  } catch (error) {
    throw late ? slowFault(proxy, hostPortText(server)) : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
