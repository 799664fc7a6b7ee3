import { appError } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Socket, SocketEnd, SocketListener, Sockets } from '../../shared/ports/sockets.ts';
import { olderChatMode } from '../../shared/protocol/realtime-api.ts';
import type { ClientSocket, ConnectionHandler } from './connection-context.ts';
import type { Gateway } from './gateway.ts';

const terminated: SocketEnd = { kind: 'closed', code: 1006, reason: '' };
const cancelled: SocketEnd = { kind: 'unreachable', error: appError('connectionGivenUp') };

/** A gateway as its clients meet it. */
type ReachedGateway = Pick<Gateway, 'admit' | 'connect' | 'end'> &
  Partial<Pick<Gateway, 'connectOlderChat'>>;

/** The gateway without a network between: everything arrives a little later, as it does on a line. */
export function gatewaySockets(gateway: ReachedGateway, clock: Clock): Sockets {
  return { connect: (mode, listener) => connect(gateway, clock, mode, listener) };
}

function connect(
  gateway: ReachedGateway,
  clock: Clock,
  mode: string,
  listener: SocketListener,
): Socket {
  let caller: ConnectionHandler | undefined;
  /** Each end stops hearing when it has closed; what is on its way to it is lost. */
  let clientDeaf = false;
  let serverDeaf = false;
  let opened = false;
  /** The client has cut the connection, and is to hear of nothing but its end. */
  let clientGone = false;

  const later = (run: () => void): void => {
    clock.after(0, run);
  };

  function toClient(run: () => void): void {
    later(() => {
      if (!clientDeaf && !clientGone) run();
    });
  }

  function endClient(end: SocketEnd): void {
    if (clientDeaf) return;
    clientDeaf = true;
    listener.ended(end);
  }

  function endServer(): void {
    if (serverDeaf) return;
    serverDeaf = true;
    caller?.disconnected();
  }

  /** Both ends fall silent, the client's last. */
  function closeBothEnds(end: SocketEnd): void {
    later(endServer);
    later(() => {
      endClient(end);
    });
  }

  function cancel(end: SocketEnd): void {
    clientGone = true;
    later(() => {
      endClient(end);
    });
    later(endServer);
  }

  later(() => {
    if (clientGone) return;
    const olderChat = mode === olderChatMode ? gateway.connectOlderChat : undefined;
    if (mode === olderChatMode && olderChat === undefined) {
      endClient({ kind: 'refused', status: 403, body: 'There is nothing here.' });
      return;
    }
    const asked = olderChat === undefined ? mode : 'chat';
    const admission = gateway.admit(asked);
    if (!admission.accepted) {
      endClient({ kind: 'refused', status: admission.status, body: admission.body });
      return;
    }
    opened = true;
    listener.opened();
    const line: ClientSocket = {
      send: (text) => {
        toClient(() => {
          listener.received(text);
        });
      },
      sendBinary: () => {
        toClient(() => {
          listener.received(undefined);
        });
      },
      close: (code, reason) => {
        closeBothEnds({ kind: 'closed', code, reason });
      },
      terminate: () => {
        closeBothEnds(terminated);
      },
      takeMessagesUpTo: () => undefined,
    };
    caller =
      olderChat?.(line, admission.session) ?? gateway.connect(asked, line, admission.session);
  });

  return {
    send: (text) => {
      listener.sending?.(text);
      later(() => {
        if (!serverDeaf) caller?.receive(text);
      });
    },
    close: (code, reason) => {
      if (opened) closeBothEnds({ kind: 'closed', code, reason });
      else cancel(cancelled);
    },
    terminate: () => {
      cancel(opened ? terminated : cancelled);
    },
  };
}
