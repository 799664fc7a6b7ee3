import type { IncomingMessage } from 'node:http';
import { WebSocket, type ClientOptions } from 'ws';
import { appError, mapErrorText, type AppError } from '../../../shared/errors/app-error.ts';
import type {
  Proxies,
  Socket,
  SocketEnd,
  SocketListener,
  Sockets,
} from '../../../shared/ports/sockets.ts';
import {
  maxServerMessageBytes,
  olderChatMode,
  olderChatPath,
} from '../../../shared/protocol/realtime-api.ts';
import {
  redactSecrets,
  endpointSecrets,
  type Endpoint,
} from '../../../shared/settings/endpoint.ts';
import {
  connectError,
  isPermanentFailure,
  openServerConnection,
  TrustError,
  type PendingConnection,
  watchEnd,
} from './server-connection.ts';

/** The time limit of an upgrade, from the first packet to the server's answer. */
const handshakeMs = 10_000;

interface Times {
  readonly handshakeMs: number;
  readonly pings: PingTimes;
}

/** Sockets over the network. They use only these proxies, and no agent, because an agent might use others. */
export function createWebSockets(
  endpoint: Endpoint,
  overrides: Partial<Times> = {},
  proxies?: Proxies,
): Sockets {
  const times: Times = { handshakeMs, pings: defaultPingTimes, ...overrides };
  return { connect: (mode, listener) => new Connection(endpoint, mode, listener, times, proxies) };
}

class Connection implements Socket {
  readonly #listener: SocketListener;
  readonly #server: string;
  readonly #proxies: Proxies | undefined;
  readonly #webSocket: WebSocket | undefined;
  /** The connection that is being opened, which the WebSocket does not know yet. */
  #pending: PendingConnection | undefined;
  readonly #handshakeTimer: ReturnType<typeof setTimeout> | undefined;
  #isOpen = false;
  readonly #secrets: readonly string[];
  #hasEnded = false;
  #stream: { readonly bytesRead: number } | undefined;
  #stopWatching: () => void = () => undefined;

  constructor(
    endpoint: Endpoint,
    mode: string,
    listener: SocketListener,
    times: Times,
    proxies: Proxies | undefined,
  ) {
    this.#listener = listener;
    this.#proxies = proxies;
    this.#server = hostAndPortOf(endpoint.url);
    this.#secrets = endpointSecrets(endpoint);
    try {
      this.#webSocket = this.#open(endpoint, mode, times.pings);
    } catch (error) {
      this.#end(unreachable(error, this.#server));
      return;
    }
    this.#handshakeTimer = setTimeout(() => {
      const seconds = Math.round(times.handshakeMs / 1000);
      const server = this.#server;
      const proxy = this.#pending?.pendingProxy();
      this.#giveUp(
        proxy === undefined
          ? appError('handshakeSlow', { server, seconds })
          : appError('proxySlow', { server, proxy }),
      );
    }, times.handshakeMs);
  }

  readonly send = (text: string): void => {
    this.#listener.sending?.(text);
    this.#webSocket?.send(text);
  };

  readonly close = (code: number, reason: string): void => {
    if (this.#isOpen) this.#webSocket?.close(code, reason);
    else this.#giveUp(connectionGivenUp);
  };

  readonly terminate = (): void => {
    if (!this.#isOpen) {
      this.#giveUp(connectionGivenUp);
      return;
    }
    this.#end({ kind: 'closed', code: 1006, reason: '' });
    this.#webSocket?.terminate();
  };

  #open(endpoint: Endpoint, mode: string, pings: PingTimes): WebSocket {
    const webSocket = new WebSocket(buildUrl(endpoint, mode), this.#options(endpoint, mode));
    webSocket.on('upgrade', ({ socket }) => {
      this.#stream = socket;
    });
    webSocket.on('open', () => {
      if (this.#hasEnded) return;
      clearTimeout(this.#handshakeTimer);
      this.#isOpen = true;
      this.#stopWatching = watchConnection(
        webSocket,
        pings,
        this.terminate,
        () => this.#stream?.bytesRead ?? 0,
      );
      this.#listener.opened();
    });
    webSocket.on('message', (data: Buffer, isBinary) => {
      if (this.#hasEnded) return;
      this.#listener.received(isBinary ? undefined : this.#redact(data.toString()));
    });
    webSocket.on('unexpected-response', (request, response) => {
      const { socket } = response;
      readRefusal(response, (end) => {
        request.destroy();
        // After the response, destroying the request does not close its socket. If the server kept the socket open, the process
        // of a terminal command would not end.
        socket.destroy();
        this.#end(end);
      });
    });
    watchEnd(
      webSocket,
      () => this.#isOpen,
      (error) => unreachable(error, this.#server),
      (end) => this.#end(end),
    );
    return webSocket;
  }

  #options(endpoint: Endpoint, mode: string): ClientOptions {
    return {
      headers: {
        ...endpoint.headers,
        ...(endpoint.token === undefined ? {} : { Authorization: `Bearer ${endpoint.token}` }),
      },
      maxPayload:
        maxServerMessageBytes[mode === 'chat' || mode === olderChatMode ? 'chat' : 'audio'],
      // One message for each turn of the event loop, so that timers and the microphone run between many messages.
      allowSynchronousEvents: false,
      // Microphone sound hardly compresses, and a higher level adds latency.
      perMessageDeflate: { zlibDeflateOptions: { level: 1 } },
      followRedirects: false,
      // Node also accepts the connection through a callback, which the types lack.
      createConnection: ((
        { host, port }: { readonly host: string; readonly port: number | string },
        done: Parameters<typeof openServerConnection>[3],
      ) => {
        const server = { host, port: Number(port) };
        this.#pending = openServerConnection(server, endpoint, this.#proxies, done);
      }) as unknown as NonNullable<ClientOptions['createConnection']>,
    };
  }

  #giveUp(error: AppError): void {
    this.#end({ kind: 'unreachable', error });
    this.#pending?.destroy();
    this.#webSocket?.terminate();
  }

  /** Ends once. The listener is called in a microtask, so that no caller gets a callback during its own call. */
  #end(end: SocketEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#handshakeTimer);
    this.#stopWatching();
    queueMicrotask(() => this.#listener.ended(this.#redactEnd(end)));
  }

  /** Redacts secrets, because servers repeat what they received, such as a refused token. */
  #redact(text: string): string {
    return redactSecrets(text, this.#secrets);
  }

  #redactEnd(end: SocketEnd): SocketEnd {
    switch (end.kind) {
      case 'refused':
        return { ...end, body: this.#redact(end.body) };
      case 'unreachable':
        return { ...end, error: mapErrorText(end.error, (text) => this.#redact(text)) };
      case 'closed':
        return { ...end, reason: this.#redact(end.reason) };
    }
  }
}

const connectionGivenUp = appError('connectionGivenUp');

function unreachable(error: unknown, server: string): SocketEnd {
  return {
    kind: 'unreachable',
    error: connectError(error, server),
    ...(isPermanentFailure(error) && { permanent: true }),
    ...(error instanceof TrustError && { untrustedCertificate: error.certificate }),
  };
}

function buildUrl(endpoint: Endpoint, mode: string): URL {
  const url = new URL(endpoint.url);
  for (const [name, value] of Object.entries(endpoint.query)) url.searchParams.set(name, value);
  if (mode === olderChatMode) {
    // Keeps what precedes `/v1/realtime`, such as the path under which a reverse proxy serves the gateway.
    const prefix = /^(?<prefix>.*)\/v1\/realtime\/?$/u.exec(url.pathname)?.groups?.['prefix'] ?? '';
    url.pathname = `${prefix}${olderChatPath}`;
    return url;
  }
  url.searchParams.set('mode', mode);
  return url;
}

function hostAndPortOf(url: string): string {
  return /^wss?:\/\/([^/?#]*)/.exec(url)?.[1] ?? 'the server';
}

/** Reads at most this many bytes of a refusal, because some servers send a whole page. */
const maxBytes = 2048;
const maxWaitMs = 2000;

/** Reads why a server refused an upgrade, with limits on size and time. */
function readRefusal(response: IncomingMessage, done: (end: SocketEnd) => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let isFinished = false;
  const finish = (): void => {
    if (isFinished) return;
    isFinished = true;
    clearTimeout(timeout);
    const body = Buffer.concat(pieces).subarray(0, maxBytes).toString();
    done({ kind: 'refused', status: response.statusCode ?? 0, body: body.trim() });
  };
  const timeout = setTimeout(finish, maxWaitMs);
  response.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= maxBytes) finish();
  });
  for (const event of ['end', 'error', 'close']) response.on(event, finish);
}

export interface PingTimes {
  /** Silence after which a ping is sent. */
  readonly quietMs: number;
  /** Silence after which the connection counts as dead, even if the system still considers it open. */
  readonly deadMs: number;
}

/** The slowest uplink to allow for. A ping waits behind the messages before it, so its answer is later by their size divided by this. */
const minBytesPerMs = 32;

const defaultPingTimes: PingTimes = { quietMs: 3000, deadMs: 9000 };

/**
 * Detects a dead connection by pings, because TCP notices a lost network only after minutes. A missing answer counts only if
 * the server has answered a ping before, because some proxies drop pings. Incoming bytes of an unfinished message count as
 * a sign of life. While a large message is being sent, the limit grows by the time that a slow uplink needs for it.
 *
 * @returns a function that stops the pings
 */
function watchConnection(
  socket: WebSocket,
  times: PingTimes,
  onDead: () => void,
  bytesRead: () => number = () => 0,
): () => void {
  let lastBytesRead = bytesRead();
  /** The largest send buffer since the last sign of life. */
  let maxBufferedBytes = 0;
  let heardAt = performance.now();
  let hasAnswered = false;
  const onSignOfLife = (): void => {
    heardAt = performance.now();
    maxBufferedBytes = 0;
  };
  const onPong = (): void => {
    hasAnswered = true;
    onSignOfLife();
  };
  socket.on('message', onSignOfLife);
  socket.on('ping', onSignOfLife);
  socket.on('pong', onPong);
  socket.ping();
  let checkedAt = heardAt;
  const timer = setInterval(() => {
    const now = performance.now();
    // After this process was suspended, received data may still be unread.
    if (now - checkedAt > times.quietMs) onSignOfLife();
    checkedAt = now;
    if (bytesRead() > lastBytesRead) onSignOfLife();
    lastBytesRead = bytesRead();
    maxBufferedBytes = Math.max(maxBufferedBytes, socket.bufferedAmount);
    const silentMs = now - heardAt;
    if (hasAnswered && silentMs >= times.deadMs + maxBufferedBytes / minBytesPerMs) onDead();
    else if (silentMs >= times.quietMs) socket.ping();
  }, times.quietMs / 2);
  timer.unref();
  return () => {
    clearInterval(timer);
    socket.off('message', onSignOfLife);
    socket.off('ping', onSignOfLife);
    socket.off('pong', onPong);
  };
}
