import { appError } from '../../../shared/errors/app-error.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import { proxyName } from '../../../shared/proxy/proxy-address.ts';
import type { Proxy } from '../../../shared/proxy/proxy-address.ts';

/** Why a proxy gave no way to a server. Nothing in it is a name or a password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly error: AppError;
  /** Trying again changes nothing before the person does. */
  readonly lasting: boolean;

  constructor(error: AppError, lasting = false) {
    super(error.code);
    this.error = error;
    this.lasting = lasting;
  }
}

/** Another proxy, or none, may do what this one cannot: it was not there, or speaks otherwise. */
export function isProxyMissing({ error: { code } }: ProxyError): boolean {
  return (
    code === 'proxyAway' ||
    code === 'proxySlow' ||
    code === 'noProxyThere' ||
    code === 'proxyUntrusted'
  );
}

export function loginFault(proxy: Proxy): ProxyError {
  const code = proxy.login === undefined ? 'proxyWantsLogin' : 'proxyRefusesLogin';
  return new ProxyError(appError(code, { proxy: proxyName(proxy) }), true);
}

/** `lets` is whether the proxy would let somebody through, and found nobody there. */
export function refusalFault(
  proxy: Proxy,
  { server, status, lets }: { server: string; status: number; lets: boolean },
): ProxyError {
  const facts = { proxy: proxyName(proxy), server, status };
  return lets
    ? new ProxyError(appError('proxyReachesNothing', facts))
    : new ProxyError(appError('proxyForbids', facts), true);
}

export function slowFault(proxy: Proxy, server: string): ProxyError {
  return new ProxyError(appError('proxySlow', { proxy: proxyName(proxy), server }));
}

export function noProxyFault(proxy: Proxy): ProxyError {
  return new ProxyError(appError('noProxyThere', { proxy: proxyName(proxy) }), true);
}

const certificateCodes = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT)/u;
const otherTongues = /^(?:HPE_|EPROTO|ERR_SSL_)/u;

/** What went wrong on the way to the proxy itself, by the system's name for it: its text may have more in it. */
export function lineFault(proxy: Proxy, error: unknown): ProxyError {
  const known: unknown = typeof error === 'object' && error !== null && Reflect.get(error, 'code');
  const code = typeof known === 'string' ? known : '';
  const facts = { proxy: proxyName(proxy) };
  if (certificateCodes.test(code)) return new ProxyError(appError('proxyUntrusted', facts), true);
  if (otherTongues.test(code)) return noProxyFault(proxy);
  return new ProxyError(appError('proxyAway', facts, { detail: code }));
}
