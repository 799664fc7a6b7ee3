import { appError, type AppError, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Socket, SocketEnd, SocketListener, Sockets } from '../../../shared/ports/sockets.ts';

const abnormalClosure: SocketEnd = { kind: 'closed', code: 1006, reason: '' };

const noop = (): void => undefined;
const noSocket: Socket = { send: noop, close: noop, terminate: noop };

/** Reports the end in a microtask, after `connect` has returned the socket. */
async function refuse(listener: SocketListener): Promise<void> {
  await Promise.resolve();
  listener.ended(abnormalClosure);
}

/** The open connections of all sessions, including dropped ones whose server does not close. */
export class OpenSockets {
  readonly #open = new Set<() => void>();
  #over = false;

  watch(sockets: Sockets): Sockets {
    return {
      connect: (mode, listener) => {
        // Parley has ended, so no new connection is made.
        if (this.#over) {
          void refuse(listener);
          return noSocket;
        }
        let over = false;
        // The socket may end before `connect` returns.
        let cut = noop;
        const ended = (end: SocketEnd): void => {
          if (over) return;
          over = true;
          this.#open.delete(cut);
          listener.ended(end);
        };
        const socket = sockets.connect(mode, { ...listener, ended });
        cut = () => {
          socket.terminate();
          // A terminated socket may report its end late, or never in a replay.
          ended(abnormalClosure);
        };
        if (!over) this.#open.add(cut);
        return socket;
      },
    };
  }

  readonly cut = (): void => {
    this.#over = true;
    for (const cut of this.#open) cut();
  };
}

/**
 * Sockets that find their server when they connect, so that the newest setting counts and the
 * access token is read only then.
 */
export function lazySockets(find: () => Promise<Outcome<Sockets>>): Sockets {
  return { connect: (mode, listener) => new LazySocket(find, mode, listener) };
}

class LazySocket implements Socket {
  readonly #listener: SocketListener;
  #socket: Socket | undefined;
  #waiting: ((socket: Socket) => void)[] = [];
  #ended = false;

  constructor(find: () => Promise<Outcome<Sockets>>, mode: string, listener: SocketListener) {
    this.#listener = listener;
    void this.#connect(find, mode);
  }

  send(text: string): void {
    this.#whenConnected((socket) => socket.send(text));
  }

  close(code: number, reason: string): void {
    this.#whenConnected((socket) => socket.close(code, reason));
  }

  terminate(): void {
    if (this.#socket !== undefined) this.#socket.terminate();
    // There is no connection to terminate.
    else this.#giveUp(appError('connectionGivenUp'));
  }

  #whenConnected(act: (socket: Socket) => void): void {
    if (this.#socket === undefined) this.#waiting.push(act);
    else act(this.#socket);
  }

  async #connect(find: () => Promise<Outcome<Sockets>>, mode: string): Promise<void> {
    const sockets = await find();
    if (this.#ended) return;
    if (!sockets.ok) return this.#giveUp(sockets.error);
    const socket = sockets.value.connect(mode, this.#listener);
    this.#socket = socket;
    for (const act of this.#waiting.splice(0)) act(socket);
  }

  #giveUp(error: AppError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting = [];
    this.#listener.ended({ kind: 'unreachable', error, permanent: true });
  }
}
