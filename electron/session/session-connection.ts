import type { Socket, SocketEnd, Sockets } from '../ports/sockets.ts';

interface ConnectionListener {
  readonly opened: () => void;
  readonly received: (text: string | undefined) => void;
  readonly ended: (end: SocketEnd) => void;
}

/** The session's one connection at a time; of one that was given up nothing is heard any more. */
export class SessionConnection {
  readonly #sockets: Sockets;
  readonly #listener: ConnectionListener;
  #socket: Socket | undefined;
  /** Tells the current connection from those before it; a socket may report before `connect` returns. */
  #current = 0;

  constructor(sockets: Sockets, listener: ConnectionListener) {
    this.#sockets = sockets;
    this.#listener = listener;
  }

  connect(mode: string): void {
    this.terminate();
    this.#current += 1;
    const own = this.#current;
    const isCurrent = () => own === this.#current;
    const socket = this.#sockets.connect(mode, {
      opened: () => {
        if (isCurrent()) this.#listener.opened();
      },
      received: (text) => {
        if (isCurrent()) this.#listener.received(text);
      },
      ended: (end) => {
        if (!isCurrent()) return;
        this.#forget();
        this.#listener.ended(end);
      },
    });
    if (isCurrent()) this.#socket = socket;
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  disconnect(): void {
    this.#socket?.close(1000, '');
  }

  terminate(): void {
    const socket = this.#socket;
    this.#forget();
    socket?.terminate();
  }

  #forget(): void {
    this.#current += 1;
    this.#socket = undefined;
  }
}
