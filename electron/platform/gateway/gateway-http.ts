import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Gateway } from '../../gateway/gateway.ts';
import type { GatewayStatus } from '../../gateway/worker-slots.ts';

export const endpointPath = '/v1/realtime';

/** Splits the target by hand, because a client can send any text, and `URL` would throw. */
export function requestPath({ url = '/' }: IncomingMessage): string {
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
export function answerRequest(
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

export function refuseUpgrade(socket: Duplex, status: number, body: string): void {
  socket.on('error', () => {
    // A refused client may disconnect before reading the answer.
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

/** If the gateway listens on all addresses, any IP address is a valid Host, because DNS rebinding needs a name. */
const allAddresses: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const ipAddressHost = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Loopback names with any port, because a tunnel may begin at another port. */
const ownNames = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * Rejects web pages. Any page open in a local browser can reach this port: DNS rebinding shows in the Host
 * header, and every page sends its Origin, which programs do not.
 */
export function refuseForeignOrigin(
  { headers }: IncomingMessage,
  listenHost: string,
  allowedOrigins: readonly string[],
): GatewayRefusal | undefined {
  const { host = '', origin } = headers;
  const isOwnHost =
    ownNames.test(host) ||
    host.replace(/:\d{1,5}$/, '') === listenHost ||
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
