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
  readonly #passed: Buffer[] = [];
  readonly #lines = new Set<Socket>();

  track(line: Socket): void {
    this.#lines.add(line);
    line.on('error', () => undefined);
  }

  /** Connects every name to that port of this machine, which shows that the proxy resolves names. */
  tunnel(line: Socket, port: number, reply: (isOpen: boolean) => void): void {
    const target = connect(port, '127.0.0.1');
    this.track(target);
    target.on('connect', () => {
      reply(true);
      line.on('data', (piece: Buffer) => this.#passed.push(piece));
      line.pipe(target).pipe(line);
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
      forwardedText: () => Buffer.concat(this.#passed).toString('latin1'),
      end: async () => {
        for (const line of this.#lines) line.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }
}
