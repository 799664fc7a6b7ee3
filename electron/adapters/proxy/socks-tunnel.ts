import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import type { Proxy } from '../../../shared/proxy/proxy-address.ts';
import { lineFault, loginFault, noProxyFault, ProxyError, refusalFault } from './proxy-fault.ts';
import type { ServerPlace } from './server-place.ts';
import { hostPortText } from './server-place.ts';

/** Longer than anybody waits for it: whoever asked breaks it off. */
const timeout = 60_000;

/** Asks a SOCKS proxy for a connection to the server, by its name, which the proxy looks up. Rejects with a `ProxyError`. */
export async function openSocksTunnel(
  proxy: Proxy,
  server: ServerPlace,
  signal: AbortSignal,
): Promise<Socket> {
  const line = connect({ host: proxy.host, port: proxy.port });
  const cut = (): void => {
    line.destroy(new Error('given up'));
  };
  // Only while it is asked: what is spoken on it afterwards is not broken off by a patience that has run out.
  signal.addEventListener('abort', cut, { once: true });
  if (signal.aborted) cut();
  try {
    await connected(line, proxy);
    const { login, host, port, scheme } = proxy;
    await SocksClient.createConnection({
      proxy: {
        host,
        port,
        type: scheme === 'socks4' ? 4 : 5,
        ...(login && { userId: login.name, password: login.password }),
      },
      command: 'connect',
      destination: server,
      timeout,
      existing_socket: line,
    });
    return line;
  } catch (error) {
    if (error instanceof ProxyError) throw error;
    // The error carries the password, and goes no further.
    throw faultOf(proxy, server, error instanceof Error ? error.message : '');
  } finally {
    signal.removeEventListener('abort', cut);
  }
}

function connected(line: Socket, proxy: Proxy): Promise<void> {
  return new Promise((resolve, reject) => {
    // As long as it lives: what is heard here of a line that is being spoken on, its user hears as well.
    line.on('error', (error) => {
      reject(lineFault(proxy, error));
    });
    line.once('connect', resolve);
  });
}

/** The numbers of RFC 1928 by the names that the library gives them. */
const refusals: readonly (readonly [name: string, status: number])[] = [
  ['NotAllowed', 2],
  ['NetworkUnreachable', 3],
  ['HostUnreachable', 4],
  ['ConnectionRefused', 5],
  ['TTLExpired', 6],
];

function faultOf(proxy: Proxy, server: ServerPlace, message: string): ProxyError {
  if (/Authentication failed|no accepted authentication type/u.test(message))
    return loginFault(proxy);
  const rejected = /rejected connection - \(?(\w+)/u.exec(message)?.[1];
  if (rejected !== undefined) {
    const status = refusals.find(([name]) => name === rejected)?.[1] ?? 1;
    return refusalFault(proxy, { server: hostPortText(server), status, lets: status > 2 });
  }
  return /invalid|unknown/iu.test(message) ? noProxyFault(proxy) : lineFault(proxy, undefined);
}
