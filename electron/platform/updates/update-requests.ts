import type { IncomingMessage } from 'node:http';
import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/sanitize-text.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import { DownloadError, openDownload } from '../net/download-request.ts';

/** Carries an expected failure through stream code. */
export class UpdateError extends Error {
  override readonly name = 'UpdateError';
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.code);
    this.error = error;
  }
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

  /** Requests a file from this byte on, if the server supports that. Rejects with a `DownloadError`. */
  get(name: string, signal: AbortSignal, from = 0): Promise<IncomingMessage> {
    const headers = { 'cache-control': 'no-cache' };
    const url = new URL(name, this.feed);
    return openDownload({
      url,
      proxies: this.#proxies,
      signal,
      idleMs: this.#idleMs,
      from,
      headers,
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
}

/** The failure of a feed or file. `version` is undefined for the feed. */
export function toUpdateError(error: unknown, host: string, version?: string): AppError {
  if (error instanceof UpdateError) return error.error;
  if (!(error instanceof DownloadError))
    return appError('updateServerAway', { host }, { detail: describeError(error) });
  const { fault } = error;
  switch (fault.kind) {
    case 'proxy':
      return fault.error;
    case 'slow':
      return appError('updateServerSlow', { host });
    case 'redirected':
      return appError('updateRedirected', { host });
    case 'refused':
      return appError('updateServerRefuses', { host, status: fault.status });
    case 'away':
    case 'untrusted':
      return appError('updateServerAway', { host }, { detail: fault.detail });
    case 'cutShort':
    case 'otherSize': {
      if (version === undefined) return appError('updateServerAway', { host });
      const isAltered = fault.kind === 'otherSize' && fault.isLonger;
      return appError(isAltered ? 'updateAltered' : 'updateCutShort', { version });
    }
  }
}
