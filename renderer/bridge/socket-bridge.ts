import { Listeners } from '../../shared/listeners.ts';
import { packMessage, unpackMessage } from '../../shared/ipc/binary-message.ts';
import { connectionProtocol } from '../../shared/ipc/connection.ts';
import type { RequestName, RequestValue } from '../../shared/ipc/contract.ts';
import type { HostMessage } from '../../shared/ipc/socket-messages.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { Reply } from '../../shared/ipc/reply.ts';
import type { PostedNotice } from '../../shared/ipc/bridge.ts';
import type { Bridge, BridgeConnection } from './bridge.ts';
import type { HostAddress } from './host-address.ts';

const reconnectAfter = 1000;

/** The bridge over the browser host's WebSocket; it reconnects when the host comes back. */
export function createSocketBridge({ address, token }: HostAddress): Bridge {
  const pending = new Map<number, (reply: Reply<unknown>) => void>();
  const noticeListeners = new Listeners<PostedNotice>();
  const connectionListeners = new Listeners<BridgeConnection>();
  let connection: BridgeConnection = 'lost';
  let nextId = 0;
  let socket = connect();
  let opening = opened(socket);

  function connect(): WebSocket {
    const fresh = new WebSocket(address, [connectionProtocol, token].filter(Boolean));
    fresh.binaryType = 'arraybuffer';
    fresh.addEventListener('open', () => {
      become('connected');
    });
    fresh.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      const message: unknown =
        typeof data === 'string' ? JSON.parse(data) : unpackMessage(new Uint8Array(data));
      receive(message as HostMessage);
    });
    fresh.addEventListener('close', () => {
      become('lost');
      setTimeout(() => {
        socket = connect();
        opening = opened(socket);
      }, reconnectAfter);
    });
    return fresh;
  }

  function become(next: BridgeConnection): void {
    connection = next;
    connectionListeners.emit(next);
    if (next === 'connected') return;
    for (const settle of pending.values()) settle(disconnected);
    pending.clear();
  }

  function receive(message: HostMessage): void {
    if ('notice' in message) {
      noticeListeners.emit(message);
      return;
    }
    if ('notices' in message) {
      for (const posted of message.notices) noticeListeners.emit(posted);
      return;
    }
    pending.get(message.id)?.(message.reply);
    pending.delete(message.id);
  }

  return {
    request: async <Name extends RequestName>(name: Name, input: unknown) => {
      // What is sent into a closed one is gone without a word, and nobody would ever answer.
      if (!(await opening) || socket.readyState !== WebSocket.OPEN) return disconnected;
      const id = nextId++;
      const reply = new Promise<Reply<unknown>>((settle) => {
        pending.set(id, settle);
      });
      socket.send(packMessage({ id, request: name, input }));
      return (await reply) as Reply<RequestValue<Name>>;
    },
    onNotice: (hear) => {
      noticeListeners.add(({ notice, revision }) => {
        hear(notice, revision);
      });
    },
    onConnection: (hear) => {
      connectionListeners.add(hear);
      hear(connection);
    },
  };
}

const disconnected = failure('disconnected');

/** Whether it opened; a request made while it opens waits for that. */
function opened(socket: WebSocket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.addEventListener('open', () => {
      resolve(true);
    });
    socket.addEventListener('close', () => {
      resolve(false);
    });
  });
}
