import { get as getPlain } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { appError } from '../../../shared/errors/app-error.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/describe-error.ts';
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
}

/**
 * Asks for one file and sends nothing along: no cookie, no name, no version. What points elsewhere is not followed.
 * Rejects with an `UpdateError`.
 */
export function requestUpdateFile({
  url,
  from = 0,
  idleMs,
  signal,
}: UpdateRequest): Promise<IncomingMessage> {
  const { host } = url;
  const headers = {
    'user-agent': 'Parley',
    'cache-control': 'no-cache',
    ...(from > 0 && { range: `bytes=${from}-` }),
  };
  return new Promise((resolve, reject) => {
    const options = { headers, signal, agent: false as const, timeout: idleMs };
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
