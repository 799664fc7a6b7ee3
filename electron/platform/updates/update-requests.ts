import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import type { Socket } from 'node:net';
import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/sanitize-text.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import { openTunnel, ProxyError, type ServerAddress } from '../net/proxy-tunnel.ts';
import { connectSecurely, systemCertificates } from '../net/system-network.ts';

/** Carries an expected failure through stream code. */
export class UpdateError extends Error {
  override readonly name = 'UpdateError';
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.code);
    this.error = error;
  }
}

/** The carried failure, or `otherwise` with the error as detail. */
export function unwrapUpdateError(error: unknown, otherwise: AppError): AppError {
  if (error instanceof UpdateError) return error.error;
  return { ...otherwise, detail: describeError(error) };
}

/** Requests the feed's files through the proxies, without cookies, name or version. Follows no redirects. */
export class UpdateRequests {
  readonly feed: URL;
  readonly #proxies: Proxies | undefined;
  readonly #idleMs: number;

  constructor(feed: URL, proxies: Proxies | undefined, idleMs: number) {
    this.feed = feed;
    this.#proxies = proxies;
    this.#idleMs = idleMs;
  }

  /** Starts at a byte offset if the server supports it. Rejects with an `UpdateError`. */
  async get(name: string, signal: AbortSignal, from = 0): Promise<IncomingMessage> {
    const url = new URL(name, this.feed);
    const { host, protocol } = url;
    const tunnel = await this.#openTunnel(url, signal);
    const headers = {
      'user-agent': 'Parley',
      'cache-control': 'no-cache',
      ...(from > 0 && { range: `bytes=${from}-` }),
    };
    return new Promise((resolve, reject) => {
      const options = { headers, signal, ...connectionOptions(url, tunnel), timeout: this.#idleMs };
      let pendingResponse: IncomingMessage | undefined;
      const answered = (response: IncomingMessage): void => {
        pendingResponse = response;
        const refusal = findRefusal(response, host);
        if (refusal === undefined) {
          resolve(response);
          return;
        }
        response.destroy();
        reject(new UpdateError(refusal));
      };
      const request =
        protocol === 'https:'
          ? getSecure(url, { ...options, ca: systemCertificates() }, answered)
          : getPlain(url, options, answered);
      request.on('timeout', () => {
        // Destroying only the request would report a generic connection error to the response's reader.
        (pendingResponse ?? request).destroy(
          new UpdateError(appError('updateServerSlow', { host })),
        );
      });
      request.on('error', (error) => {
        reject(new UpdateError(unwrapUpdateError(error, appError('updateServerAway', { host }))));
      });
    });
  }

  /** Reads a whole file up to a size limit. */
  async read(name: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of (await this.get(name, signal)) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes)
        throw new UpdateError(appError('updateFeedDamaged', { host: this.feed.host }));
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  /** Undefined if no proxy is used; a slow proxy is named in the error. */
  async #openTunnel(url: URL, signal: AbortSignal): Promise<Socket | undefined> {
    const [proxies, patienceMs] = [this.#proxies, this.#idleMs];
    if (proxies === undefined) return undefined;
    try {
      const server = serverAddress(url);
      return await openTunnel({ url: url.href, server, proxies, signal, patienceMs });
    } catch (error) {
      throw error instanceof ProxyError ? new UpdateError(error.error) : error;
    }
  }
}

function serverAddress({ hostname, port, protocol }: URL): ServerAddress {
  const usual = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/gu, ''), port: port === '' ? usual : Number(port) };
}

/** TLS runs inside the tunnel and verifies the server's name. */
function connectionOptions(url: URL, tunnel: Socket | undefined) {
  if (tunnel === undefined) return { agent: false as const };
  return {
    createConnection: () =>
      url.protocol === 'https:' ? connectSecurely(serverAddress(url), { socket: tunnel }) : tunnel,
  };
}

function findRefusal(
  { statusCode: status = 0 }: IncomingMessage,
  host: string,
): AppError | undefined {
  if (status === 200 || status === 206) return undefined;
  if (status >= 300 && status < 400) return appError('updateRedirected', { host });
  return appError('updateServerRefuses', { host, status });
}
