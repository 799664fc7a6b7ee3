import type { Socket, SocketEnd, SocketListener, Sockets } from '../ports/sockets.ts';

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
