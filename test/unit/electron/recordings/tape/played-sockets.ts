import type { Socket, SocketListener, Sockets } from '../../../../../shared/ports/sockets.ts';

export interface PlayedConnection {
  readonly mode: string;
  readonly listener: SocketListener;
  readonly sent: string[];
  readonly closed: string[];
}

/** Sockets whose server side the test plays. */
export class PlayedSockets implements Sockets {
  readonly connections: PlayedConnection[] = [];

  readonly connect = (mode: string, listener: SocketListener): Socket => {
    const connection: PlayedConnection = { mode, listener, sent: [], closed: [] };
    this.connections.push(connection);
    return {
      send: (text) => {
        listener.sending?.(text);
        connection.sent.push(text);
      },
      close: (code, reason) => connection.closed.push(`${code} ${reason}`),
      terminate: () => connection.closed.push('terminated'),
    };
  };
}
