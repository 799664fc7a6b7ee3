import { appError } from '../../../shared/errors/app-error.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SocketEnd, SocketListener, Sockets } from '../../ports/sockets.ts';

/** The server's side of a replay: connections that say what the tape has. */
export interface ReplayConnections {
  readonly sockets: Sockets;
  readonly hasConnection: (connection: number) => boolean;
  /** The tape holds more of them than have been opened. */
  readonly hasMore: () => boolean;
  readonly open: (connection: number) => void;
  readonly receive: (connection: number, text: string | undefined) => void;
  readonly end: (connection: number, end: SocketEnd) => void;
  /** Ends whatever is still open: there is nothing more to play. */
  readonly endAll: () => void;
}

const cutOff: SocketEnd = { kind: 'closed', code: 1006, reason: '' };

export interface ReplayConnectionsDeps {
  /** How many the tape holds. */
  readonly connections: number;
  readonly clock: Clock;
  readonly onConnect: (connection: number) => void;
  readonly onSent: (text: string) => void;
}

export function createReplayConnections({
  connections,
  clock,
  onConnect,
  onSent,
}: ReplayConnectionsDeps): ReplayConnections {
  const listeners = new Map<number, SocketListener>();
  let count = 0;

  const end = (connection: number, how: SocketEnd): void => {
    const listener = listeners.get(connection);
    if (listeners.delete(connection)) listener?.ended(how);
  };

  return {
    sockets: {
      connect: (_mode, listener) => {
        count += 1;
        const connection = count;
        listeners.set(connection, listener);
        if (connection <= connections) onConnect(connection);
        else {
          clock.after(0, () => {
            end(connection, { kind: 'unreachable', error: appError('tapeEnded') });
          });
        }
        return {
          send: (text) => {
            listener.sending?.(text);
            onSent(text);
          },
          // The tape itself says when the other side agreed.
          close: () => undefined,
          terminate: () => {
            clock.after(0, () => {
              end(connection, cutOff);
            });
          },
        };
      },
    },
    hasConnection: (connection) => connection <= count,
    hasMore: () => count < connections,
    open: (connection) => {
      listeners.get(connection)?.opened();
    },
    receive: (connection, text) => {
      listeners.get(connection)?.received(text);
    },
    end,
    endAll: () => {
      for (const connection of listeners.keys()) end(connection, cutOff);
    },
  };
}

/** The end of a connection as the tape has it. */
export function readEnd(end: JsonObject): SocketEnd {
  const { kind, status, body, problem, lasting, code, reason } = end;
  if (kind === 'refused' && typeof status === 'number') {
    return { kind, status, body: textOr(body, '') };
  }
  if (kind === 'unreachable') {
    const error =
      typeof problem === 'string'
        ? appError('recordedFailure', { problem })
        : appError('unreachable');
    const unreachable = { kind, error } as const;
    return lasting === true ? { ...unreachable, lasting } : unreachable;
  }
  if (kind === 'closed' && typeof code === 'number') {
    return { kind, code, reason: textOr(reason, '') };
  }
  return cutOff;
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
