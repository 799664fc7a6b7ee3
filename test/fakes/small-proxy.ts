import { connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface ProxyScript {
  /** If absent, everybody may connect. */
  readonly login?: { readonly name: string; readonly password: string };
  readonly refuses?: number;
  /** Accepts the connection and never answers. */
  readonly silent?: boolean;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface SmallProxy {
  readonly port: number;
  /** The requested targets, as the client named them. */
  readonly targets: readonly string[];
  /** Everything the client sent through tunnels, as latin1. */
  readonly forwardedText: () => string;
  readonly end: () => Promise<void>;
}

/** The connections of a proxy on loopback: it tunnels, records the traffic, and closes all at the end. */
export class ProxyConnections {
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
