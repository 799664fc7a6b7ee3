import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { Socket } from 'node:net';
import { ProxyConnections } from './small-proxy.ts';
import type { ProxyScript, SmallProxy } from './small-proxy.ts';

/** A real proxy on loopback that tunnels (CONNECT). */
export async function httpProxy(script: ProxyScript = {}): Promise<SmallProxy> {
  const connections = new ProxyConnections();
  const server = script.tls === undefined ? createServer() : createSecure(script.tls);
  server.on('connection', (socket: Socket) => {
    connections.track(socket);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    connections.track(socket);
    connections.targets.push(request.url ?? '');
    if (script.silent === true) return;
    const status = statusFor(script, request);
    if (status !== 200) {
      // Some proxies repeat the credentials in their answer, which must not leak into errors.
      const body = `no: ${request.headers['proxy-authorization'] ?? ''}`;
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      return;
    }
    connections.tunnel(socket, Number(/\d+$/u.exec(request.url ?? '')?.[0]), (isOpen) => {
      if (isOpen) socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      else socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
  });
  return connections.serve(server);
}

function statusFor({ login, refuses }: ProxyScript, { headers }: IncomingMessage): number {
  if (refuses !== undefined) return refuses;
  if (login === undefined) return 200;
  const wanted = Buffer.from(`${login.name}:${login.password}`).toString('base64');
  return headers['proxy-authorization'] === `Basic ${wanted}` ? 200 : 407;
}
