import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface ProxyScript {
  /** Without it anybody is let through. */
  readonly login?: { readonly name: string; readonly password: string };
  /** The status in the place of a tunnel. */
  readonly refuses?: number;
  /** Takes the line and says nothing. */
  readonly silent?: boolean;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface SmallProxy {
  readonly port: number;
  /** The places it was asked for, as they were named to it. */
  readonly asked: readonly string[];
  /** All that passed from the client to the server, as letters. */
  readonly passed: () => string;
  readonly end: () => Promise<void>;
}

/**
 * A real proxy on loopback that tunnels (CONNECT). Every name leads to the port that was asked for on this machine, so
 * that names are looked up by it and by nobody else.
 */
export async function httpProxy(script: ProxyScript = {}): Promise<SmallProxy> {
  const asked: string[] = [];
  const passed: Buffer[] = [];
  const lines = new Set<Socket>();
  const hold = (line: Socket): void => {
    lines.add(line);
    line.on('error', () => undefined);
  };
  const server: Server = script.tls === undefined ? createServer() : createSecure(script.tls);
  server.on('connection', hold);
  server.on('connect', (request: IncomingMessage, line: Socket) => {
    hold(line);
    asked.push(request.url ?? '');
    if (script.silent === true) return;
    const status = statusFor(script, request);
    if (status !== 200) {
      // As such programs do, and some repeat what they were sent.
      const body = `no: ${request.headers['proxy-authorization'] ?? ''}`;
      line.end(`HTTP/1.1 ${status} No\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      return;
    }
    const target = connect(Number(/\d+$/u.exec(request.url ?? '')?.[0]), '127.0.0.1');
    hold(target);
    target.on('connect', () => {
      line.write('HTTP/1.1 200 Connection established\r\n\r\n');
      line.on('data', (piece: Buffer) => passed.push(piece));
      line.pipe(target).pipe(line);
    });
    target.on('error', () => line.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    passed: () => Buffer.concat(passed).toString('latin1'),
    end: async () => {
      for (const line of lines) line.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function statusFor({ login, refuses }: ProxyScript, { headers }: IncomingMessage): number {
  if (refuses !== undefined) return refuses;
  if (login === undefined) return 200;
  const wanted = Buffer.from(`${login.name}:${login.password}`).toString('base64');
  return headers['proxy-authorization'] === `Basic ${wanted}` ? 200 : 407;
}
