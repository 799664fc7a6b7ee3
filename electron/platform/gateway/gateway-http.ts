import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GatewayStatus } from '../../gateway/worker-pool.ts';

/** Where clients connect: the path of the realtime API. */
export const endpointPath = '/v1/realtime';

// A request's target is whatever a client writes there, so it is cut by hand: URL would throw.
export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

export function modeIn({ url = '/' }: IncomingMessage): string | undefined {
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
export function answerRequest(
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
export function refuseUpgrade(socket: Duplex, status: number, body: string): void {
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

export interface GatewayRefusal {
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
export function refuseStranger(
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
