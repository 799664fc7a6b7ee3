import { failure } from '../../../shared/errors/app-error.ts';
import { packMessage, unpackMessage } from '../../../shared/ipc/binary-message.ts';
import {
  connectionPath,
  connectionProtocol,
  exposedKey,
  type Bridge,
  type BridgeConnection,
  type HostMessage,
  type PostedNotice,
  type Reply,
} from '../../../shared/ipc/bridge.ts';
import type { RequestName, RequestValue } from '../../../shared/ipc/contract.ts';
import { Listeners } from '../../../shared/listeners.ts';

const reconnectMs = 1000;

/** The bridge over the WebSocket of the browser host. It reconnects after the host returns. */
export function createSocketBridge({ address, token }: HostAddress): Bridge {
  const pending = new Map<number, (reply: Reply<unknown>) => void>();
  const noticeListeners = new Listeners<PostedNotice>();
  const connectionListeners = new Listeners<BridgeConnection>();
  let connection: BridgeConnection = 'lost';
  let nextId = 0;
  let socket = connect();
  let whenOpen = waitForOpen(socket);

  function connect(): WebSocket {
    const webSocket = new WebSocket(address, [connectionProtocol, token].filter(Boolean));
    webSocket.binaryType = 'arraybuffer';
    webSocket.addEventListener('open', () => setConnection('connected'));
    webSocket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      const message: unknown =
        typeof data === 'string' ? JSON.parse(data) : unpackMessage(new Uint8Array(data), Infinity);
      receive(message as HostMessage);
    });
    webSocket.addEventListener('close', () => {
      setConnection('lost');
      setTimeout(() => {
        socket = connect();
        whenOpen = waitForOpen(socket);
      }, reconnectMs);
    });
    return webSocket;
  }

  function setConnection(next: BridgeConnection): void {
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
      // A closed socket drops messages silently, so the request would never settle.
      if (!(await whenOpen) || socket.readyState !== WebSocket.OPEN) return disconnected;
      const id = nextId++;
      const reply = new Promise<Reply<unknown>>((settle) => {
        pending.set(id, settle);
      });
      socket.send(packMessage({ id, request: name, input }));
      return (await reply) as Reply<RequestValue<Name>>;
    },
    onNotice: (listener) => {
      noticeListeners.add(({ notice, revision, changes }) => listener(notice, revision, changes));
    },
    onConnection: (listener) => {
      connectionListeners.add(listener);
      listener(connection);
    },
  };
}

const disconnected = failure('disconnected');

function waitForOpen(socket: WebSocket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.addEventListener('open', () => resolve(true));
    socket.addEventListener('close', () => resolve(false));
  });
}

const tokenKey = 'parley.token';

interface HostAddress {
  readonly address: string;
  readonly token: string;
}

type PageLocation = Pick<Window, 'location' | 'history' | 'sessionStorage'>;

/**
 * Address and token of the browser host. The token comes once in the URL fragment; it is moved to the session
 * storage, so that a reload works.
 */
export function hostAddress({ location, history, sessionStorage }: PageLocation): HostAddress {
  const fromAddress = new URLSearchParams(location.hash.slice(1)).get('token');
  if (fromAddress !== null) {
    sessionStorage.setItem(tokenKey, fromAddress);
    history.replaceState(null, '', location.pathname + location.search);
  }
  // The dev server has a different origin and passes the host in the query.
  const devHost = import.meta.env.DEV ? new URLSearchParams(location.search).get('host') : null;
  const { href } = new URL(connectionPath, (devHost ?? location.origin).replace(/^http/, 'ws'));
  return { address: href, token: fromAddress ?? sessionStorage.getItem(tokenKey) ?? '' };
}

declare global {
  interface Window {
    readonly [exposedKey]?: Bridge;
  }
}

/** Uses the bridge of the preload script, or else the WebSocket. */
export function connectBridge(): Bridge {
  return window[exposedKey] ?? createSocketBridge(hostAddress(window));
}
