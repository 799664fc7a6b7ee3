import { describeError } from '../../../shared/describe-error.ts';

/** Why no server could be opened there and what to do, in one sentence. */
export function listenErrorMessage(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by another program; choose another port, or 0 for any.`;
    case 'EACCES':
      return `Port ${port} may not be opened without more rights; choose one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}; leave the host out to listen on loopback.`;
    default:
      return `The gateway cannot listen on ${host}, port ${port}: ${describeError(error)}.`;
  }
}
