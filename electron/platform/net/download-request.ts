import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import type { Socket } from 'node:net';
import { type AppError, describeError, errorCode } from '../../../shared/errors/app-error.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import { isLoopbackHost } from '../../../shared/settings/proxy-address.ts';
import { openTunnel, ProxyError, type ServerAddress } from './proxy-tunnel.ts';
import { connectSecurely, isCertificateError, systemCertificates } from './system-network.ts';

/** Why a download failed. The caller turns this into an error with a sentence. */
export type DownloadFault =
  | { readonly kind: 'proxy'; readonly error: AppError }
  /** `untrusted`: the certificate is not valid. `cutShort`: the connection broke before the end of the file. */
  | { readonly kind: 'away' | 'untrusted' | 'cutShort'; readonly detail: string }
  /** `slow`: nothing or too little arrived in time. `redirected`: an address that is not followed. */
  | { readonly kind: 'slow' | 'redirected' }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'otherSize'; readonly isLonger: boolean };

/** Carries an expected failure through stream code. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  readonly fault: DownloadFault;

  constructor(fault: DownloadFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

export interface DownloadRequest {
  readonly url: URL;
  /** Undefined for direct connections. */
  readonly proxies: Proxies | undefined;
  readonly signal: AbortSignal;
  /** The time limit for connecting, for the answer, and between two pieces of it. */
  readonly idleMs: number;
  /** Asks for the rest of the file from this byte. */
  readonly from?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many redirects to follow. None by default. */
  readonly maxRedirects?: number;
}

/**
 * Requests a file without cookies, with the user agent `Parley` and no version. Answers with status 200 or 206, or
 * rejects with a `DownloadError`. A redirect keeps the range and never leaves https; loopback may use http.
 */
export async function openDownload(request: DownloadRequest): Promise<IncomingMessage> {
  const { maxRedirects = 0 } = request;
  let { url } = request;
  for (let redirects = 0; ; redirects += 1) {
    const response = await requestOnce(url, request);
    const { statusCode: status = 0 } = response;
    if (status === 200 || status === 206) return response;
    response.destroy();
    if (status < 300 || status >= 400) throw new DownloadError({ kind: 'refused', status });
    const next = readLocation(response, url);
    if (next === undefined || redirects >= maxRedirects)
      throw new DownloadError({ kind: 'redirected' });
    url = next;
  }
}

/** The address of a redirect. Undefined if it must not be followed. */
function readLocation({ headers: { location } }: IncomingMessage, from: URL): URL | undefined {
  if (location === undefined || !URL.canParse(location, from.href)) return undefined;
  const url = new URL(location, from);
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return url;
  return from.protocol === 'http:' && isPlainAllowed(url) ? url : undefined;
}

/** Whether a URL is plain HTTP to this computer. HTTP to other computers is not allowed. */
export function isPlainAllowed(url: URL): boolean {
  return url.protocol === 'http:' && isLoopbackHost(serverAddress(url).host);
}

async function requestOnce(
  url: URL,
  { proxies, signal, idleMs, from = 0, headers }: DownloadRequest,
): Promise<IncomingMessage> {
  const tunnel = await openProxyTunnel(url, proxies, signal, idleMs);
  const allHeaders = {
    'user-agent': 'Parley',
    ...headers,
    ...(from > 0 && { range: `bytes=${from}-` }),
  };
  return new Promise((resolve, reject) => {
    const options = {
      headers: allHeaders,
      signal,
      ...connectionOptions(url, tunnel, idleMs),
      timeout: idleMs,
    };
    let response: IncomingMessage | undefined;
    const onResponse = (answer: IncomingMessage): void => {
      response = answer;
      resolve(answer);
    };
    const request =
      url.protocol === 'https:'
        ? getSecure(url, { ...options, ca: systemCertificates() }, onResponse)
        : getPlain(url, options, onResponse);
    request.on('timeout', () => {
      // Destroying only the request would report a generic connection error to the response's reader.
      (response ?? request).destroy(new DownloadError({ kind: 'slow' }));
    });
    request.on('error', (error) => reject(toDownloadError(error, 'away')));
  });
}

/** Keeps a `DownloadError`. Another error gets this fault, or `untrusted` if the certificate is the reason. */
export function toDownloadError(error: unknown, kind: 'away' | 'cutShort'): DownloadError {
  if (error instanceof DownloadError) return error;
  const isUntrusted = isCertificateError(errorCode(error));
  return new DownloadError({
    kind: isUntrusted ? 'untrusted' : kind,
    detail: describeError(error),
  });
}

/** Opens a tunnel through a proxy. Undefined if no proxy is used. */
async function openProxyTunnel(
  url: URL,
  proxies: Proxies | undefined,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Socket | undefined> {
  if (proxies === undefined) return undefined;
  try {
    const server = serverAddress(url);
    return await openTunnel({ url: url.href, server, proxies, signal, timeoutMs });
  } catch (error) {
    throw error instanceof ProxyError
      ? new DownloadError({ kind: 'proxy', error: error.error })
      : error;
  }
}

function serverAddress({ hostname, port, protocol }: URL): ServerAddress {
  const defaultPort = protocol === 'https:' ? 443 : 80;
  return {
    host: hostname.replace(/^\[|\]$/gu, ''),
    port: port === '' ? defaultPort : Number(port),
  };
}

/** TLS runs inside the tunnel and verifies the server's name. */
function connectionOptions(url: URL, tunnel: Socket | undefined, idleMs: number) {
  if (tunnel === undefined) return { agent: false as const };
  return {
    // Node applies the time limit of a request only to connections that it opens itself.
    createConnection: () =>
      (url.protocol === 'https:'
        ? connectSecurely(serverAddress(url), { socket: tunnel })
        : tunnel
      ).setTimeout(idleMs),
  };
}
