import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import {
  failure,
  type Failure,
  type Outcome,
  describeError,
  errorCode,
} from '../../../shared/errors/app-error.ts';
import type { Log } from '../../../shared/ports/log.ts';
import { maxEarlyMessageBytes, olderChatPath } from '../../../shared/protocol/realtime-api.ts';
import type { ClientSocket, ConnectionHandler } from '../../gateway/connection-context.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import {
  answerRequest,
  endpointPath,
  type GatewayRefusal,
  refuseForeignOrigin,
  refuseUpgrade,
  requestPath,
} from './gateway-http.ts';
import type { OwnCertificate } from './own-certificate.ts';

export interface GatewayServerOptions {
  readonly host?: string | undefined;
  /** 0 takes any free port. */
  readonly port: number;
  /** Origins of pages that may connect, as `https://name:port`; none by default. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Serves `wss` with this key and certificate; without it, traffic is unencrypted. */
  readonly tls?: Pick<OwnCertificate, 'key' | 'cert'> | undefined;
  readonly log: Log;
}

export interface GatewayServer {
  /** The address without the mode, such as `ws://127.0.0.1:8006/v1/realtime`. */
  readonly url: string;
  /** Refuses waiting and new clients, and waits for the others up to a time limit. */
  readonly drain: Gateway['drain'];
  readonly end: () => Promise<void>;
}

/** Below this, compression costs more than it saves. */
const compressionThreshold = 4096;
const closeHandshakeMs = 500;

/** Serves a gateway over WebSocket, on loopback by default. */
export async function serveGateway(
  gateway: Gateway,
  { host = '127.0.0.1', port, allowedOrigins = [], tls, log }: GatewayServerOptions,
): Promise<Outcome<GatewayServer>> {
  const findRefusal = (request: IncomingMessage): GatewayRefusal | undefined =>
    refuseForeignOrigin(request, host, allowedOrigins);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    answerRequest(request, response, gateway, findRefusal(request));
  };
  const server =
    tls === undefined
      ? createServer(answer)
      : createSecureServer({ key: tls.key, cert: tls.cert }, answer);
  try {
    const listening = once(server, 'listening');
    server.listen({ host, port });
    await listening;
  } catch (error) {
    return listenFailure(error, host, port);
  }
  const sockets = new WebSocketServer({
    noServer: true,
    // The limit before a session begins. A session raises it.
    maxPayload: maxEarlyMessageBytes,
    // Sound hardly compresses, so use the fastest level. Clients can decline compression.
    perMessageDeflate: { threshold: compressionThreshold, zlibDeflateOptions: { level: 1 } },
  });
  server.on('upgrade', (request, socket, head) => {
    const refusal = findRefusal(request);
    if (refusal === undefined) upgrade(gateway, sockets, log, request, socket, head);
    else refuseUpgrade(socket, refusal.status, refusal.body);
  });
  const stopPings = startPings(sockets.clients);
  const { address, port: actualPort, family } = server.address() as AddressInfo;
  return {
    ok: true,
    value: {
      url: `${tls === undefined ? 'ws' : 'wss'}://${family === 'IPv6' ? `[${address}]` : address}:${actualPort}${endpointPath}`,
      drain: gateway.drain,
      end: async () => {
        stopPings();
        const ended = gateway.end();
        await close(server, sockets);
        // If the process exited earlier, the model servers would stay occupied.
        await ended;
      },
    },
  };
}

function upgrade(
  gateway: Gateway,
  sockets: WebSocketServer,
  log: Log,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const path = requestPath(request);
  const olderChat = path === olderChatPath ? gateway.connectOlderChat : undefined;
  if (path !== endpointPath && olderChat === undefined) {
    // Existing gateways answer 403 here. The text helps, because the code alone looks like a missing permission.
    refuseUpgrade(socket, 403, `Not found: the gateway is at ${endpointPath}.`);
    return;
  }
  const mode = olderChat === undefined ? modeIn(request) : 'chat';
  const admission = gateway.admit(mode);
  if (!admission.accepted) {
    refuseUpgrade(socket, admission.status, admission.body);
    return;
  }
  sockets.handleUpgrade(request, socket, head, (connection) => {
    const { session } = admission;
    serveClient(
      connection,
      (client) => olderChat?.(client, session) ?? gateway.connect(mode, client, session),
      log,
    );
  });
}

function modeIn({ url = '/' }: IncomingMessage): string | undefined {
  const at = url.indexOf('?');
  if (at === -1) return undefined;
  return new URLSearchParams(url.slice(at + 1)).get('mode') ?? undefined;
}

/** Closes the server, and terminates clients that take too long for the closing handshake. */
async function close(server: Server, sockets: WebSocketServer): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const terminateTimer = setTimeout(() => {
    for (const connection of sockets.clients) connection.terminate();
    server.closeAllConnections();
  }, closeHandshakeMs);
  server.closeIdleConnections();
  await closed;
  clearTimeout(terminateTimer);
}

/** A close frame holds 123 bytes. Parley's reasons are ASCII. */
const maxReasonBytes = 123;

/** A client with more unread data than this is disconnected. */
const maxUnreadBytes = 64 * 1024 * 1024;

function serveClient(
  socket: WebSocket,
  connect: (socket: ClientSocket) => ConnectionHandler,
  log: Log,
): void {
  const isOpen = (): boolean => socket.readyState === socket.OPEN;
  /** The number of messages that are being sent, and whether to disconnect after them. */
  let pendingSends = 0;
  let isTerminating = false;

  function onSent(): void {
    pendingSends -= 1;
    if (isTerminating && pendingSends === 0) socket.terminate();
  }

  const handler = connect({
    send: (text) => {
      if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
      else if (isOpen()) {
        pendingSends += 1;
        socket.send(text, onSent);
      }
    },
    sendBinary: (bytes) => {
      if (isOpen()) socket.send(bytes, { binary: true });
    },
    close: (code, reason) => socket.close(code, reason.slice(0, maxReasonBytes)),
    terminate: () => {
      isTerminating = true;
      if (pendingSends === 0) socket.terminate();
    },
    setMaxMessageBytes: (bytes) => limitMessages(socket, bytes),
  });
  socket.on('message', (data, isBinary) => {
    handler.receive(isBinary ? undefined : decodeText(data));
  });
  socket.on('error', (error) => {
    log.write('warn', `a connection to the embedded gateway failed: ${error.message}`);
  });
  socket.on('close', () => handler.disconnected());
}

function decodeText(data: RawData): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8');
  return Buffer.concat(Array.isArray(data) ? data : [new Uint8Array(data)]).toString('utf8');
}

const pingIntervalMs = 20_000;

/** Pings all clients every 20 s and terminates those that have not answered the previous ping. */
function startPings(clients: ReadonlySet<WebSocket>): () => void {
  const awaitingPong = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const client of clients) {
      if (awaitingPong.has(client)) {
        client.terminate();
        continue;
      }
      awaitingPong.add(client);
      client.once('pong', () => awaitingPong.delete(client));
      client.ping();
    }
  }, pingIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Sets the message limit of one connection. The `ws` package has one fixed limit for all connections, kept in
 * two private fields for before and after inflation. If those fields move, the initial limit stays, and a test
 * fails.
 */
function limitMessages(socket: WebSocket, bytes: number): void {
  const receiver: unknown = Reflect.get(socket, '_receiver');
  const extensions: unknown = Reflect.get(socket, '_extensions');
  const deflate: unknown = isObject(extensions) ? extensions['permessage-deflate'] : undefined;
  for (const holder of [receiver, deflate])
    if (isObject(holder) && '_maxPayload' in holder) holder['_maxPayload'] = bytes;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function listenFailure(error: unknown, host: string, port: number): Failure {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return failure('portTaken', { port, host });
    case 'EACCES':
      return failure('portForbidden', { port });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return failure('noSuchLocalAddress', { host });
    default:
      return failure('cannotListen', { host, port }, { detail: describeError(error) });
  }
}
