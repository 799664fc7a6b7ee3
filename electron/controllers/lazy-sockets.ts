import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Socket, SocketListener, Sockets } from '../ports/sockets.ts';

/**
 * Sockets of a server that is looked up only when somebody connects: which one is chosen then counts,
 * and its token is asked for no earlier.
 */
export function lazySockets(find: () => Promise<Outcome<Sockets>>): Sockets {
  return { connect: (mode, listener) => new LazySocket(find, mode, listener) };
}

class LazySocket implements Socket {
  readonly #listener: SocketListener;
  #socket: Socket | undefined;
  /** What is to be done with the socket as soon as there is one. */
  #waiting: ((socket: Socket) => void)[] = [];
  #ended = false;

  constructor(find: () => Promise<Outcome<Sockets>>, mode: string, listener: SocketListener) {
    this.#listener = listener;
    void this.#connect(find, mode);
  }

  send(text: string): void {
    this.#whenConnected((socket) => {
      socket.send(text);
    });
  }

  close(code: number, reason: string): void {
    this.#whenConnected((socket) => {
      socket.close(code, reason);
    });
  }

  terminate(): void {
    if (this.#socket !== undefined) this.#socket.terminate();
    // Nothing was connected, so that nothing has to be.
    else this.#giveUp(appError('connectionGivenUp'));
  }

  #whenConnected(act: (socket: Socket) => void): void {
    if (this.#socket === undefined) this.#waiting.push(act);
    else act(this.#socket);
  }

  async #connect(find: () => Promise<Outcome<Sockets>>, mode: string): Promise<void> {
    const sockets = await find();
    if (this.#ended) return;
    if (!sockets.ok) {
      this.#giveUp(sockets.error);
      return;
    }
    const socket = sockets.value.connect(mode, this.#listener);
    this.#socket = socket;
    for (const act of this.#waiting.splice(0)) act(socket);
  }

  #giveUp(error: AppError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting = [];
    this.#listener.ended({ kind: 'unreachable', error, lasting: true });
  }
}
