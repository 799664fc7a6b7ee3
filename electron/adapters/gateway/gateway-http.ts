import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

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

/** What is no WebSocket: the health check, and sentences for other paths. */
export function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  refused?: { readonly status: number; readonly body: string },
): void {
  const path = pathOf(request);
  const { status, body } =
    refused ??
    (path === '/health' && request.method === 'GET'
      ? { status: 200, body: 'ok' }
      : path === endpointPath
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
