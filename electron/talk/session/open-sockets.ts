import { appError, type AppError, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Socket, SocketEnd, SocketListener, Sockets } from '../../../shared/ports/sockets.ts';

const cutOff: SocketEnd = { kind: 'closed', code: 1006, reason: '' };

const nothing = (): void => undefined;
const noSocket: Socket = { send: nothing, close: nothing, terminate: nothing };

/** Nobody is told of the end of what they do not have yet. */
async function refuse(listener: SocketListener): Promise<void> {
  await Promise.resolve();
  listener.ended(cutOff);
}

/**
 * The connections of all sessions that are not over. A session that was given up says goodbye and is forgotten, and a
 * server that does not answer any more would keep its connection open beyond Parley's own end.
 */
export class OpenSockets {
  readonly #open = new Set<() => void>();
  #over = false;

  watch(sockets: Sockets): Sockets {
    return {
      connect: (mode, listener) => {
        // Who was still on the way to a server when Parley ended comes to none.
        if (this.#over) {
          void refuse(listener);
          return noSocket;
        }
        let over = false;
        // It may be over before it is there.
        let cut = nothing;
        const ended = (end: SocketEnd): void => {
          if (over) return;
          over = true;
          this.#open.delete(cut);
          listener.ended(end);
        };
        const socket = sockets.connect(mode, { ...listener, ended });
        cut = () => {
          socket.terminate();
          // Not waited for: what is cut may say so later, or, as on a tape that is played, never.
          ended(cutOff);
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
    this.#whenConnected((socket) => socket.send(text));
  }

  close(code: number, reason: string): void {
    this.#whenConnected((socket) => socket.close(code, reason));
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
    if (!sockets.ok) return this.#giveUp(sockets.error);
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
