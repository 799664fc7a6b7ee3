import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface ProxyScript {
  /** If absent, everybody may connect. */
  readonly login?: { readonly name: string; readonly password: string };
  /** The HTTP status or SOCKS reply code that refuses every connection. */
  readonly refuses?: number;
  /** Accepts the connection and never answers. */
  readonly silent?: boolean;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A proxy on loopback, and the traffic that it recorded. */
export interface SmallProxy {
  readonly port: number;
  /** The requested targets, as the client named them. SOCKS addresses are `an address`. */
  readonly targets: readonly string[];
  /** Everything the client sent through tunnels, as latin1. */
  readonly forwardedText: () => string;
  readonly end: () => Promise<void>;
}

/** The connections of a proxy on loopback: it tunnels, records the traffic, and closes all at the end. */
class ProxyConnections {
  readonly targets: string[] = [];
  readonly #forwarded: Buffer[] = [];
  readonly #sockets = new Set<Socket>();

  track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
  }

  /** Connects every name to that port of this machine, which shows that the proxy resolves names. */
  tunnel(socket: Socket, port: number, reply: (isOpen: boolean) => void): void {
    const target = connect(port, '127.0.0.1');
    this.track(target);
    target.on('connect', () => {
      reply(true);
      socket.on('data', (piece: Buffer) => this.#forwarded.push(piece));
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => {
      reply(false);
    });
  }

  async serve(server: Server): Promise<SmallProxy> {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return {
      port: (server.address() as AddressInfo).port,
      targets: this.targets,
      forwardedText: () => Buffer.concat(this.#forwarded).toString('latin1'),
      end: async () => {
        for (const socket of this.#sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }
}

/** A real proxy on loopback that tunnels (CONNECT). */
export async function httpProxy(script: ProxyScript = {}): Promise<SmallProxy> {
  const connections = new ProxyConnections();
  const server = script.tls === undefined ? createHttpServer() : createHttpsServer(script.tls);
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

/** SOCKS authentication methods; `nobody` refuses the client. */
const anybody = 0;
const byPassword = 2;
const nobody = 0xff;

/** A real SOCKS 5 proxy on loopback (RFC 1928 and 1929). */
export async function socksProxy(
  script: Pick<ProxyScript, 'login' | 'refuses'> = {},
): Promise<SmallProxy> {
  const connections = new ProxyConnections();
  const server = createServer((socket) => {
    connections.track(socket);
    const next = (): Promise<Buffer> =>
      new Promise((resolve) => {
        socket.once('data', resolve);
      });
    void (async () => {
      const greeting = await next();
      const methods = greeting.subarray(2, 2 + (greeting[1] ?? 0));
      const method = script.login === undefined ? anybody : byPassword;
      socket.write(Buffer.from([5, methods.includes(method) ? method : nobody]));
      if (method === byPassword) {
        const right = isRight(await next(), script);
        socket.write(Buffer.from([1, right ? 0 : 1]));
        if (!right) return;
      }
      const request = await next();
      const length = request[4] ?? 0;
      const name = request.subarray(5, 5 + length).toString();
      const port = request.readUInt16BE(5 + length);
      // Type 3 is a name; other types are an address that the client has resolved.
      connections.targets.push(request[3] === 3 ? `${name}:${port}` : `an address:${port}`);
      const reply = (status: number): void => {
        socket.write(Buffer.from([5, status, 0, 1, 127, 0, 0, 1, 0, 0]));
      };
      if (script.refuses === undefined)
        connections.tunnel(socket, port, (isOpen) => {
          reply(isOpen ? 0 : 5);
        });
      else reply(script.refuses);
    })();
  });
  return connections.serve(server);
}

function isRight(sent: Buffer, { login }: ProxyScript): boolean {
  const name = sent.subarray(2, 2 + (sent[1] ?? 0));
  const password = sent.subarray(3 + name.length);
  return name.toString() === login?.name && password.toString() === login.password;
}
