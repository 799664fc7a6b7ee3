import { connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

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
  readonly targets: readonly string[];
  /** All that passed from the client to the server, as letters. */
  readonly forwardedText: () => string;
  readonly end: () => Promise<void>;
}

/** What a proxy on loopback does whatever it speaks: it tunnels, notes what passes, and ends with all its lines. */
export class ProxyConnections {
  readonly targets: string[] = [];
  readonly #passed: Buffer[] = [];
  readonly #lines = new Set<Socket>();

  track(line: Socket): void {
    this.#lines.add(line);
    line.on('error', () => undefined);
  }

  /** Every name leads to the port that was asked for on this machine, so that the proxy looks it up and nobody else. */
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
