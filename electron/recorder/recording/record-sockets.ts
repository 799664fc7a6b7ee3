import type { SocketListener, Sockets } from '../../ports/sockets.ts';
import type { TapeRecorder } from './tape-recorder.ts';

/** The same sockets, with everything that passes through them recorded first. */
export function recordSockets(sockets: Sockets, recorder: TapeRecorder): Sockets {
  let connections = 0;
  return {
    connect: (mode, listener) => {
      connections += 1;
      const connection = connections;
      return sockets.connect(mode, recordedListener(listener, recorder, connection));
    },
  };
}

function recordedListener(
  listener: SocketListener,
  recorder: TapeRecorder,
  connection: number,
): SocketListener {
  return {
    opened: () => {
      recorder.opened(connection);
      listener.opened();
    },
    sending: (text) => {
      recorder.sent(connection, text);
      listener.sending?.(text);
    },
    received: (text) => {
      recorder.received(connection, text);
      listener.received(text);
    },
    ended: (end) => {
      recorder.ended(connection, end);
      listener.ended(end);
    },
  };
}
