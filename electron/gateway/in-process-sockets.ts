import { appError } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Socket, SocketEnd, SocketListener, Sockets } from '../../shared/ports/sockets.ts';
import { olderChatMode } from '../../shared/protocol/realtime-api.ts';
import type { ClientSocket, ConnectionHandler } from './connection-context.ts';
import type { Gateway } from './gateway.ts';

const terminated: SocketEnd = { kind: 'closed', code: 1006, reason: '' };
const cancelled: SocketEnd = { kind: 'unreachable', error: appError('connectionGivenUp') };

type ConnectableGateway = Pick<Gateway, 'admit' | 'connect' | 'end'> &
  Partial<Pick<Gateway, 'connectOlderChat'>>;

/** Connects to a gateway in the same process. Messages arrive asynchronously, as on a network. */
export function inProcessSockets(gateway: ConnectableGateway, clock: Clock): Sockets {
  return { connect: (mode, listener) => connect(gateway, clock, mode, listener) };
}

function connect(
  gateway: ConnectableGateway,
  clock: Clock,
  mode: string,
  listener: SocketListener,
): Socket {
  let handler: ConnectionHandler | undefined;
  /** Each side receives no messages after it has closed. */
  let hasClientEnded = false;
  let hasServerEnded = false;
  let hasOpened = false;
  /** After the client has terminated the connection, it receives only the end. */
  let isClientCancelled = false;

  const defer = (run: () => void): void => {
    clock.after(0, run);
  };

  function toClient(run: () => void): void {
    defer(() => {
      if (!hasClientEnded && !isClientCancelled) run();
    });
  }

  function endClient(end: SocketEnd): void {
    if (hasClientEnded) return;
    hasClientEnded = true;
    listener.ended(end);
  }

  function endServer(): void {
    if (hasServerEnded) return;
    hasServerEnded = true;
    handler?.disconnected();
  }

  /** Ends the server's side first, then the client's. */
  function closeBothEnds(end: SocketEnd): void {
    defer(endServer);
    defer(() => endClient(end));
  }

  function cancel(end: SocketEnd): void {
    isClientCancelled = true;
    defer(() => endClient(end));
    defer(endServer);
  }

  defer(() => {
    if (isClientCancelled) return;
    const olderChat = mode === olderChatMode ? gateway.connectOlderChat : undefined;
    if (mode === olderChatMode && olderChat === undefined) {
      endClient({ kind: 'refused', status: 403, body: 'There is nothing here.' });
      return;
    }
    const requestedMode = olderChat === undefined ? mode : 'chat';
    const admission = gateway.admit(requestedMode);
    if (!admission.accepted) {
      endClient({ kind: 'refused', status: admission.status, body: admission.body });
      return;
    }
    hasOpened = true;
    listener.opened();
    const socket: ClientSocket = {
      send: (text) => toClient(() => listener.received(text)),
      sendBinary: () => toClient(() => listener.received(undefined)),
      close: (code, reason) => closeBothEnds({ kind: 'closed', code, reason }),
      terminate: () => closeBothEnds(terminated),
      setMaxMessageBytes: () => undefined,
    };
    handler =
      olderChat?.(socket, admission.session) ??
      gateway.connect(requestedMode, socket, admission.session);
  });

  return {
    send: (text) => {
      listener.sending?.(text);
      defer(() => {
        if (!hasServerEnded) handler?.receive(text);
      });
    },
    close: (code, reason) => {
      if (hasOpened) closeBothEnds({ kind: 'closed', code, reason });
      else cancel(cancelled);
    },
    terminate: () => cancel(hasOpened ? terminated : cancelled),
  };
}
