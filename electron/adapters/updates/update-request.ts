import { get as getPlain } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { appError } from '../../../shared/errors/app-error.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/describe-error.ts';
import type { Proxies } from '../../ports/proxies.ts';
import { openTunnel } from '../proxy/open-tunnel.ts';
import { ProxyError } from '../proxy/proxy-fault.ts';
import type { ServerPlace } from '../proxy/server-place.ts';
import { systemCertificates } from '../system-certificates.ts';

/** An expected failure on its way through code that reads streams. */
export class UpdateError extends Error {
  override readonly name = 'UpdateError';
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.code);
    this.error = error;
  }
}

export interface UpdateRequest {
  readonly url: URL;
  /** Goes on behind what is there already. */
  readonly from?: number;
  /** Nothing coming for so long is too long. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** The ways there; none but the straight one where they are left out. */
  readonly proxies?: Proxies | undefined;
}

/**
 * Asks for one file and sends nothing along: no cookie, no name, no version. What points elsewhere is not followed.
 * Rejects with an `UpdateError`.
 */
export async function requestUpdateFile(wanted: UpdateRequest): Promise<IncomingMessage> {
  const { url, from = 0, idleMs, signal } = wanted;
  const { host } = url;
  const tunnel = await tunnelFor(wanted);
  const headers = {
    'user-agent': 'Parley',
    'cache-control': 'no-cache',
    ...(from > 0 && { range: `bytes=${from}-` }),
  };
  return new Promise((resolve, reject) => {
    const options = { headers, signal, ...lineOptions(url, tunnel), timeout: idleMs };
    let coming: IncomingMessage | undefined;
    const answered = (response: IncomingMessage): void => {
      coming = response;
      const refusal = refusalOf(response, host);
      if (refusal === undefined) {
        resolve(response);
        return;
      }
      response.destroy();
      reject(new UpdateError(refusal));
    };
    const request =
      url.protocol === 'https:'
        ? getSecure(url, { ...options, ca: systemCertificates() }, answered)
        : getPlain(url, options, answered);
    request.on('timeout', () => {
      // A request that is destroyed tells its answer's reader of a broken line only.
      (coming ?? request).destroy(new UpdateError(appError('updateServerSlow', { host })));
    });
    request.on('error', (error) => {
      reject(new UpdateError(updateErrorOf(error, appError('updateServerAway', { host }))));
    });
  });
}

/** Where a proxy is to be used; one that is waited for too long is named. */
async function tunnelFor({
  url,
  idleMs,
  signal,
  proxies,
}: UpdateRequest): Promise<Socket | undefined> {
  if (proxies === undefined) return undefined;
  const server = placeOf(url);
  try {
    return await openTunnel({ url: url.href, server, proxies, signal, patienceMs: idleMs });
  } catch (error) {
    throw error instanceof ProxyError ? new UpdateError(error.error) : error;
  }
}

function placeOf({ hostname, port, protocol }: URL): ServerPlace {
  const usual = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/gu, ''), port: port === '' ? usual : Number(port) };
}

/** TLS goes on inside of the tunnel, with the server's certificate held against its name as ever. */
function lineOptions(url: URL, tunnel: Socket | undefined) {
  if (tunnel === undefined) return { agent: false as const };
  const { host } = placeOf(url);
  return {
    createConnection: () =>
      url.protocol === 'https:'
        ? connectTls({
            socket: tunnel,
            host,
            ...(isIP(host) === 0 ? { servername: host } : {}),
            ALPNProtocols: ['http/1.1'],
            ca: systemCertificates(),
          })
        : tunnel,
  };
}

/** What a stream was broken by, or else what that means. */
export function updateErrorOf(error: unknown, otherwise: AppError): AppError {
  if (error instanceof UpdateError) return error.error;
  return { ...otherwise, detail: describeError(error) };
}

function refusalOf(
  { statusCode: status = 0 }: IncomingMessage,
  host: string,
): AppError | undefined {
  if (status === 200 || status === 206) return undefined;
  if (status >= 300 && status < 400) return appError('updateRedirected', { host });
  return appError('updateServerRefuses', { host, status });
}
