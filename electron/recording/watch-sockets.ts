import type { SocketEnd, SocketListener, Sockets } from '../ports/sockets.ts';

/** What passes through sockets, as it is; told before it goes on its way. */
export interface WireEar {
  /** Asked for everything that passes, so that nothing is spent while nobody watches. */
  readonly listening: () => boolean;
  readonly opened: (connection: WatchedConnection) => void;
  readonly sent: (connection: WatchedConnection, text: string) => void;
  /** A binary frame has no text. */
  readonly received: (connection: WatchedConnection, text: string | undefined) => void;
  readonly ended: (connection: WatchedConnection, end: SocketEnd) => void;
}

export interface WatchedConnection {
  readonly number: number;
  readonly mode: string;
  /** What must be seen by nobody. */
  readonly secrets: readonly string[];
}

/** The same sockets, with everything that passes through them told to whoever listens. */
export function watchSockets(
  sockets: Sockets,
  ear: WireEar,
  secrets: readonly string[],
  nextNumber: () => number,
): Sockets {
  return {
    connect: (mode, listener) => {
      const connection = { number: nextNumber(), mode, secrets };
      const socket = sockets.connect(mode, listenIn(listener, ear, connection));
      return {
        send: (text) => {
          if (ear.listening()) ear.sent(connection, text);
          socket.send(text);
        },
        close: (code, reason) => {
          socket.close(code, reason);
        },
        terminate: () => {
          socket.terminate();
        },
      };
    },
  };
}

function listenIn(
  listener: SocketListener,
  ear: WireEar,
  connection: WatchedConnection,
): SocketListener {
  return {
    opened: () => {
      if (ear.listening()) ear.opened(connection);
      listener.opened();
    },
    received: (text) => {
      if (ear.listening()) ear.received(connection, text);
      listener.received(text);
    },
    ended: (end) => {
      if (ear.listening()) ear.ended(connection, end);
      listener.ended(end);
    },
  };
}
