import { describeError } from '../../../shared/describe-error.ts';
import { failure } from '../../../shared/errors/app-error.ts';
import type { Failure } from '../../../shared/errors/app-error.ts';

/** Why no server could be opened there. */
export function listenFailure(error: unknown, host: string, port: number): Failure {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
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
