import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { failure, type Failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeError, errorCode } from '../../../shared/harmless-text.ts';
import type { Log } from '../../../shared/ports/log.ts';
import { maxEarlyMessageBytes, olderChatPath } from '../../../shared/protocol/realtime-api.ts';
import type { ClientSocket, ConnectionHandler } from '../../gateway/connection-context.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { GatewayStatus } from '../../gateway/worker-pool.ts';
import type { OwnCertificate } from './own-certificate.ts';

/** Address, port and log of the embedded gateway. */
export interface GatewayServerOptions {
  readonly host?: string | undefined;
  /** 0 takes any free port. */
  readonly port: number;
  /** Pages that may connect, as `https://name:port`; otherwise none may. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Serves `wss` with this key and certificate; otherwise what is said can be read on the way. */
  readonly tls?: Pick<OwnCertificate, 'key' | 'cert'> | undefined;
  readonly log: Log;
}

export interface GatewayServer {
  /** Up to and without the mode: `ws://127.0.0.1:8006/v1/realtime`. */
  readonly url: string;
  readonly end: () => Promise<void>;
}

/** Below this, compressing costs more than it saves. */
const compressedFrom = 4096;
/** How long clients may take for their half of the goodbye. */
const goodbyeMs = 500;

/** Serves a gateway as a real WebSocket server, on loopback unless the options say otherwise. */
export async function serveGateway(
  gateway: Gateway,
  { host = '127.0.0.1', port, allowedOrigins = [], tls, log }: GatewayServerOptions,
): Promise<Outcome<GatewayServer>> {
  const stranger = (request: IncomingMessage): GatewayRefusal | undefined =>
    refuseStranger(request, host, allowedOrigins);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    answerRequest(request, response, gateway.status, stranger(request));
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
    // Until a session is made, which then asks for more.
    maxPayload: maxEarlyMessageBytes,
    // Sound hardly shrinks, so the fastest level; a client that wants none is given none.
    perMessageDeflate: { threshold: compressedFrom, zlibDeflateOptions: { level: 1 } },
  });
  server.on('upgrade', (request, socket, head) => {
    const refused = stranger(request);
    if (refused === undefined) upgrade(gateway, sockets, log, request, socket, head);
    else refuseUpgrade(socket, refused.status, refused.body);
  });
  const stopPings = keepPinging(sockets.clients);
  const { address, port: actual, family } = server.address() as AddressInfo;
  return {
    ok: true,
    value: {
      url: `${tls === undefined ? 'ws' : 'wss'}://${family === 'IPv6' ? `[${address}]` : address}:${actual}${endpointPath}`,
      end: async () => {
        stopPings();
        gateway.end();
        await close(server, sockets);
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
  const path = pathOf(request);
  const olderChat = path === olderChatPath ? gateway.connectOlderChat : undefined;
  if (path !== endpointPath && olderChat === undefined) {
    // As gateways in use answer; a client that knows only the code takes it for a question of rights.
    refuseUpgrade(socket, 403, `There is nothing here; the gateway is at ${endpointPath}.`);
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

/** Whoever has not answered the goodbye by then is cut off. */
async function close(server: Server, sockets: WebSocketServer): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  const giveUp = setTimeout(() => {
    for (const connection of sockets.clients) connection.terminate();
    server.closeAllConnections();
  }, goodbyeMs);
  server.closeIdleConnections();
  await closed;
  clearTimeout(giveUp);
}

/** A close frame has room for 123 bytes; our reasons are plain ASCII. */
const maxReasonBytes = 123;

/** Who reads no more is cut off before what waits for them fills the memory. */
const maxUnreadBytes = 64 * 1024 * 1024;

/** Joins one WebSocket to the gateway until either of them ends. */
function serveClient(
  socket: WebSocket,
  connect: (socket: ClientSocket) => ConnectionHandler,
  log: Log,
): void {
  const isOpen = (): boolean => socket.readyState === socket.OPEN;
  /** How much of what was said is still on its way out, and whether nothing more is to follow. */
  let sending = 0;
  let hangingUp = false;

  function sent(): void {
    sending -= 1;
    if (hangingUp && sending === 0) socket.terminate();
  }

  const caller = connect({
    send: (text) => {
      if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
      else if (isOpen()) {
        sending += 1;
        socket.send(text, sent);
      }
    },
    sendBinary: (bytes) => {
      if (isOpen()) socket.send(bytes, { binary: true });
    },
    close: (code, reason) => {
      socket.close(code, reason.slice(0, maxReasonBytes));
    },
    terminate: () => {
      hangingUp = true;
      if (sending === 0) socket.terminate();
    },
    setMaxMessageBytes: (bytes) => {
      limitMessages(socket, bytes);
    },
  });
  socket.on('message', (data, isBinary) => {
    caller.receive(isBinary ? undefined : textOf(data));
  });
  socket.on('error', (error) => {
    log.write('warn', `a connection to the embedded gateway failed: ${error.message}`);
  });
  socket.on('close', () => {
    caller.disconnected();
  });
}

function textOf(data: RawData): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8');
  return Buffer.concat(Array.isArray(data) ? data : [new Uint8Array(data)]).toString('utf8');
}

const pingEveryMs = 20_000;

/** Pings everyone every 20 s and cuts off whoever has not answered by the next time. */
function keepPinging(clients: ReadonlySet<WebSocket>): () => void {
  const asked = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const client of clients) {
      if (asked.has(client)) {
        client.terminate();
        continue;
      }
      asked.add(client);
      client.once('pong', () => asked.delete(client));
      client.ping();
    }
  }, pingEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

/**
 * Lets a connection's messages be of this size from now on. The `ws` package takes one limit for all connections and for
 * good; it keeps it in two places, before and after inflation, that are no part of its interface. Should they
 * move, the limit stays what the server began with, and a test says so.
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

/** Why no server could be opened there. */
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

/** Where clients connect: the path of the realtime API. */
const endpointPath = '/v1/realtime';

// A request's target is whatever a client writes there, so it is cut by hand: URL would throw.
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

function modeIn({ url = '/' }: IncomingMessage): string | undefined {
  const at = url.indexOf('?');
  if (at === -1) return undefined;
  return new URLSearchParams(url.slice(at + 1)).get('mode') ?? undefined;
}

const reports: ReadonlyMap<string, (status: GatewayStatus) => object> = new Map<
  string,
  (status: GatewayStatus) => object
>([
  ['/health', () => ({ status: 'ok' })],
  [
    '/status',
    ({ workers, idle, queued }) => ({
      total_workers: workers,
      idle_workers: idle,
      busy_workers: workers - idle,
      queue_length: queued,
    }),
  ],
]);

/** What is no WebSocket: how it is and how busy, as gateways in use tell it, and sentences for other paths. */
function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  statusOf: () => GatewayStatus,
  refused?: { readonly status: number; readonly body: string },
): void {
  const path = pathOf(request);
  const report = request.method === 'GET' ? reports.get(path) : undefined;
  if (refused === undefined && report !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify(report(statusOf()))}\n`);
    request.resume();
    return;
  }
  const { status, body } =
    refused ??
    (path === endpointPath
      ? { status: 426, body: 'This is a WebSocket endpoint.' }
      : { status: 404, body: `There is nothing here; the gateway is at ${endpointPath}.` });
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...(status === 426 && { upgrade: 'websocket', connection: 'upgrade, close' }),
  });
  response.end(`${body}\n`);
  request.resume();
}

/** Answers an upgrade with an HTTP status instead. */
function refuseUpgrade(socket: Duplex, status: number, body: string): void {
  socket.on('error', () => {
    // Whoever was refused may be gone before reading why; there is nobody left to answer.
    socket.destroy();
  });
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

/** Where it listens at all addresses, those are its names: a page's own name is never a number. */
const everywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const anyAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** With any port: a tunnel may end at another one. */
const ownNames = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * Who may not come in. Every page that is open in a browser here can reach this port: one that had its own
 * name point at this machine is known by its Host, and all pages by their Origin, which programs do not send.
 */
function refuseStranger(
  { headers }: IncomingMessage,
  listensAt: string,
  allowedOrigins: readonly string[],
): GatewayRefusal | undefined {
  const { host = '', origin } = headers;
  const named =
    ownNames.test(host) ||
    host.replace(/:\d{1,5}$/, '') === listensAt ||
    (everywhere.has(listensAt) && anyAddress.test(host));
  if (!named) {
    return { status: 403, body: 'The gateway answers only under the address it listens at.' };
  }
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  return {
    status: 403,
    body: 'The gateway answers no web pages: start it with --allow-origin to allow one.',
  };
}
