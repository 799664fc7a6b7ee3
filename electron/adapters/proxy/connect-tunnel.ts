import { request as requestPlain } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import type { Proxy } from '../../../shared/proxy/proxy-address.ts';
import { systemCertificates } from '../system-certificates.ts';
import { lineFault, loginFault, refusalFault } from './proxy-fault.ts';
import type { ServerPlace } from './server-place.ts';
import { hostPortText } from './server-place.ts';

/**
 * Asks an HTTP proxy for a connection to the server (CONNECT), whatever is spoken on it afterwards: a plain WebSocket
 * goes through a tunnel as well, so that no proxy reads or changes it. Rejects with a `ProxyError`.
 */
export function openConnectTunnel(
  proxy: Proxy,
  server: ServerPlace,
  signal: AbortSignal,
): Promise<Socket> {
  const path = hostPortText(server);
  const options = {
    method: 'CONNECT',
    host: proxy.host,
    port: proxy.port,
    path,
    headers: { host: path, ...authorization(proxy) },
    agent: false as const,
    signal,
  };
  return new Promise((resolve, reject) => {
    const asking =
      proxy.scheme === 'https'
        ? requestSecure({
            ...options,
            ca: systemCertificates(),
            // Otherwise it is held against the name of the server.
            servername: isIP(proxy.host) === 0 ? proxy.host : '',
          })
        : requestPlain(options);
    asking.on('connect', ({ statusCode: status = 0 }: IncomingMessage, line: Socket, head) => {
      if (status >= 200 && status < 300) {
        if (head.length > 0) line.unshift(head);
        resolve(line);
        return;
      }
      // It is being cut: whatever happens to it adds nothing.
      line.on('error', () => undefined);
      line.destroy();
      reject(
        status === 407
          ? loginFault(proxy)
          : refusalFault(proxy, { server: path, status, lets: status >= 500 }),
      );
    });
    asking.on('error', (error) => {
      reject(lineFault(proxy, error));
    });
    asking.end();
  });
}

function authorization({ login }: Proxy): Readonly<Record<string, string>> {
  if (login === undefined) return {};
  const text = Buffer.from(`${login.name}:${login.password}`).toString('base64');
  return { 'proxy-authorization': `Basic ${text}` };
}
