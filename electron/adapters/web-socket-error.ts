import { describeError } from '../../shared/describe-error.ts';
import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { oversizeReason } from '../ports/sockets.ts';
import type { SocketEnd } from '../ports/sockets.ts';
import { ProxyError } from './proxy/proxy-fault.ts';
import { TrustError } from './web-socket-trust.ts';

/** Whether trying again changes nothing: somebody has to mend the address or trust the certificate. */
export function isLasting(error: unknown): boolean {
  if (error instanceof ProxyError) return error.lasting;
  return error instanceof TrustError || codeOf(error) === 'ERR_INVALID_URL';
}

const codes = {
  ENOTFOUND: 'noSuchServer',
  EAI_AGAIN: 'noName',
  ECONNREFUSED: 'nothingListens',
  ECONNRESET: 'hungUp',
  EPIPE: 'hungUp',
  ETIMEDOUT: 'noAnswer',
  EHOSTUNREACH: 'noRoute',
  ENETUNREACH: 'noRoute',
} as const;

/** Why no connection came about. `server` is a name that may be shown. */
export function connectError(error: unknown, server: string): AppError {
  if (error instanceof ProxyError) return error.error;
  if (error instanceof TrustError) {
    const { fault, fingerprint } = error.certificate;
    return appError(fault, { fingerprint });
  }
  const code = codeOf(error) ?? '';
  if (code === 'ERR_INVALID_URL') return appError('badAddress');
  if (isKnown(code)) return appError(codes[code], { server });
  const text = describeError(error);
  if (code.startsWith('HPE_')) return appError('notHttp', { server });
  if (/wrong version number|packet length too long|http request/i.test(text)) {
    return appError('notTls', { server });
  }
  if (/Sec-WebSocket|Invalid Upgrade header|subprotocol/.test(text)) {
    return appError('notWebSocket', { server }, { detail: text });
  }
  // Without the text where there is a code: what a server sends back may have our own secrets in it.
  return appError('noConnection', { server }, { detail: code === '' ? text : code });
}

/** What ws found wrong with what came; of a connection that was only cut there is nothing to say. */
export function protocolBreach(error: unknown): SocketEnd | undefined {
  const reason = codeOf(error);
  if (reason === undefined || !reason.startsWith('WS_ERR_')) return undefined;
  return { kind: 'closed', code: reason === oversizeReason ? 1009 : 1002, reason };
}

function isKnown(code: string): code is keyof typeof codes {
  return Object.hasOwn(codes, code);
}

/** Connecting by several addresses at once fails with all their errors together. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string') return code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined;
}
