import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, isIPv6 } from 'node:net';
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
import type { GatewayStatus } from '../../gateway/worker-slots.ts';
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

/** A close frame holds this many bytes of a reason; `ws` throws for a longer one. */
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
    close: (code, reason) => socket.close(code, firstBytes(reason, maxReasonBytes)),
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
    log.write('warn', `a connection to the gateway failed: ${error.message}`);
  });
  socket.on('close', () => handler.disconnected());
}

/** The beginning of a text whose UTF-8 has at most this many bytes, without a part of a character at the end. */
function firstBytes(text: string, maxBytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, maxBytes), { stream: true });
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

const endpointPath = '/v1/realtime';

/** Splits the target by hand, because a client can send any text, and `URL` would throw. */
function requestPath({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

interface Report {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Reports health and status in the format of existing gateways, and metrics for Prometheus. */
function makeReport(path: string, gateway: Gateway): Report | undefined {
  switch (path) {
    case '/health':
      return isHealthy(gateway.status())
        ? jsonReport(200, { status: 'ok' })
        : jsonReport(503, { status: 'no model server is available' });
    case '/status':
      return jsonReport(200, describeStatus(gateway.status()));
    case '/metrics': {
      const body = gateway.metrics();
      return body === undefined
        ? undefined
        : { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body };
    }
    default:
      return undefined;
  }
}

function isHealthy({ backends }: GatewayStatus): boolean {
  return backends.length === 0 || backends.some(({ state }) => state !== 'lost');
}

function jsonReport(status: number, report: object): Report {
  return { status, type: 'application/json', body: `${JSON.stringify(report)}\n` };
}

function describeStatus({ workers, idle, queued, backends }: GatewayStatus): object {
  return {
    total_workers: workers,
    idle_workers: idle,
    busy_workers: workers - idle - backends.filter(({ state }) => state === 'lost').length,
    queue_length: queued,
    ...(backends.length > 0 && {
      workers: backends.map(({ name, serves, state, seconds }) => ({
        name,
        serves,
        state,
        state_seconds: seconds,
      })),
    }),
  };
}

/** Answers plain HTTP: reports, and errors for other paths. */
function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  gateway: Gateway,
  refusal: GatewayRefusal | undefined,
): void {
  const path = requestPath(request);
  const report = request.method === 'GET' ? makeReport(path, gateway) : undefined;
  if (refusal === undefined && report !== undefined) {
    response.writeHead(report.status, { 'content-type': report.type });
    response.end(report.body);
    request.resume();
    return;
  }
  const { status, body } =
    refusal ??
    (path === endpointPath
      ? { status: 426, body: 'This is a WebSocket endpoint.' }
      : { status: 404, body: `Not found: the gateway is at ${endpointPath}.` });
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...(status === 426 && { upgrade: 'websocket', connection: 'upgrade, close' }),
  });
  response.end(`${body}\n`);
  request.resume();
}

function refuseUpgrade(socket: Duplex, status: number, body: string): void {
  socket.on('error', () => {
    // A refused client may disconnect before reading the answer.
    socket.destroy();
  });
  // A refused client could otherwise keep its half of the connection open, and the gateway would not end.
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
      'connection: close',
      'content-type: text/plain; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}

interface GatewayRefusal {
  readonly status: 403;
  readonly body: string;
}

/** If the gateway listens on all addresses, any IP address is a valid Host, because DNS rebinding needs a name. */
const allAddresses: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const ipAddressHost = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Loopback names with any port, because a tunnel may begin at another port. */
const ownNames = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?$/i;

/** An address or name as clients write it in the Host header. */
function hostHeaderOf(address: string): string {
  const name = isIPv6(address) ? `[${address}]` : address;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name;
}

/**
 * Rejects web pages. Any page open in a local browser can reach this port: DNS rebinding shows in the Host
 * header, and every page sends its Origin, which programs do not.
 */
function refuseForeignOrigin(
  { headers }: IncomingMessage,
  listenHost: string,
  allowedOrigins: readonly string[],
): GatewayRefusal | undefined {
  const { host = '', origin } = headers;
  const isOwnHost =
    ownNames.test(host) ||
    host.replace(/:\d{1,5}$/, '').toLowerCase() === hostHeaderOf(listenHost) ||
    (allAddresses.has(listenHost) && ipAddressHost.test(host));
  if (!isOwnHost) {
    return { status: 403, body: 'The gateway answers only under the address it listens at.' };
  }
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  return {
    status: 403,
    body: 'The gateway answers no web pages: start it with --allow-origin to allow one.',
  };
}
