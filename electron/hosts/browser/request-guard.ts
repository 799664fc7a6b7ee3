import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { connectionPath } from '../../../shared/ipc/bridge.ts';

export interface HttpRefusal {
  readonly status: 401 | 403 | 404;
  readonly reason: string;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether an address is this machine's loopback, the only one on which the host listens. */
export function isLoopback(address: string): boolean {
  return ['127.0.0.1', 'localhost', '::1'].includes(address);
}

interface GuardOptions {
  readonly port: number;
  readonly token: string;
  /** Origins that may connect besides the host's own, such as the dev server's. */
  readonly extraOrigins: readonly string[];
}

/**
 * Checks requests. The Host check stops DNS rebinding. For connections, the Origin check stops other sites in the same
 * browser, and the token stops other users and programs of this machine.
 */
export function createRequestGuard({ port, token, extraOrigins }: GuardOptions) {
  // Browsers omit port 80 from Host and Origin.
  const ports = port === 80 ? ['', ':80'] : [`:${port}`];
  const hosts = new Set(loopbackNames.flatMap((name) => ports.map((suffix) => name + suffix)));
  const origins = new Set([...[...hosts].map((host) => `http://${host}`), ...extraOrigins]);

  function refusePage(request: IncomingMessage): HttpRefusal | undefined {
    if (request.headers.host !== undefined && hosts.has(request.headers.host)) return undefined;
    return { status: 403, reason: 'Parley answers only under its own loopback address.' };
  }

  function refuseConnection(request: IncomingMessage): HttpRefusal | undefined {
    const refusal = refusePage(request);
    if (refusal !== undefined) return refusal;
    if (request.headers.origin === undefined || !origins.has(request.headers.origin)) {
      return { status: 403, reason: 'Parley answers only its own page.' };
    }
    if (requestedUrl(request)?.pathname !== connectionPath) {
      return { status: 404, reason: 'Parley takes connections at its own path only.' };
    }
    const protocols = request.headers['sec-websocket-protocol']?.split(/,\s*/) ?? [];
    if (protocols.some((protocol) => equalsToken(protocol, token))) return undefined;
    return { status: 401, reason: 'This address has expired; open the one Parley printed last.' };
  }

  return { refusePage, refuseConnection };
}

export function requestedUrl(request: IncomingMessage): URL | undefined {
  const base = 'http://loopback';
  const path = request.url ?? '/';
  return URL.canParse(path, base) ? new URL(path, base) : undefined;
}

function equalsToken(text: string, token: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
