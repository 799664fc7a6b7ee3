import type { Clock } from '../../../../shared/ports/clock.ts';
import type { Socket, SocketListener, Sockets } from '../../../../shared/ports/sockets.ts';

interface ConnectionLimit {
  readonly ms: number;
  readonly code: number;
}

/** Connections that the test closes with a code, without a protocol message. */
export class BreakableSockets {
  readonly #open = new Set<(code: number) => void>();
  readonly #limit: ConnectionLimit | undefined;
  #server: Sockets | undefined;
  #clock: Clock | undefined;

  /** @param limit closes each connection after this time */
  constructor(limit?: ConnectionLimit) {
    this.#limit = limit;
  }

  around(sockets: Sockets, clock: Clock): Sockets {
    this.#server = sockets;
    this.#clock = clock;
    return {
      connect: (mode, listener) => this.#connect(this.#server ?? sockets, mode, listener),
    };
  }

  /** A second session is open or being opened. */
  get beginsAnother(): boolean {
    return this.#open.size > 1;
  }

  /** Closes all connections, including one that is being opened. */
  close(code: number): void {
    for (const close of this.#open) close(code);
    this.#open.clear();
  }

  /** Later connections lead to another server. */
  leadTo(sockets: Sockets): void {
    this.#server = sockets;
  }

  /** Connects other clients, which queue until they leave. */
  connectOthers(count: number): { readonly leave: () => void } {
    const nothing = (): void => undefined;
    const others = Array.from({ length: count }, () =>
      this.#server?.connect('audio', { opened: nothing, received: nothing, ended: nothing }),
    );
    return {
      leave: () => {
        for (const other of others) other?.terminate();
      },
    };
  }

  #connect(sockets: Sockets, mode: string, listener: SocketListener): Socket {
    let over = false;
    const inner = sockets.connect(mode, {
      opened: () => {
        if (!over) listener.opened();
      },
      received: (text) => {
        if (!over) listener.received(text);
      },
      ended: (end) => {
        this.#open.delete(close);
        if (!over) listener.ended(end);
        over = true;
      },
    });
    const close = (code: number): void => {
      over = true;
      inner.terminate();
      listener.ended({ kind: 'closed', code, reason: '' });
    };
    this.#open.add(close);
    if (this.#limit !== undefined) {
      const { ms, code } = this.#limit;
      this.#clock?.after(ms, () => {
        if (this.#open.delete(close)) close(code);
      });
    }
    return inner;
  }
}
