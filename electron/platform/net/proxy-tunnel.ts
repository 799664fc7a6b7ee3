import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { SocksClient } from 'socks';
import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import { errorCode } from '../../../shared/harmless-text.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import { hostAndPort, isLoopbackHost, type Proxy } from '../../../shared/settings/proxy-address.ts';
import { systemCertificates } from './system-network.ts';

/** Less than a test of a server, and than its own connection, may take. */
const usualPatienceMs = 6000;

export interface TunnelOrder {
  /** The server's address: by its scheme, name and port the way is chosen. */
  readonly url: string;
  readonly server: ServerPlace;
  readonly proxies: Proxies;
  readonly signal: AbortSignal;
  /** How long one proxy is waited for. */
  readonly patienceMs?: number | undefined;
  /** Which proxy is waited for, as a sentence calls it. */
  readonly asking?: ((proxy: string) => void) | undefined;
}

/** Whether nobody is asked for a way to it: what stays on this machine goes by no proxy, whatever is set. */
export function goesDirectly({ host }: Pick<ServerPlace, 'host'>): boolean {
  return isLoopbackHost(host);
}

/**
 * A line to the server by the first of its proxies that is there; nothing where it is to be reached without one.
 * Rejects with a `ProxyError`.
 */
export async function openTunnel(order: TunnelOrder): Promise<Socket | undefined> {
  const { url, server, proxies, signal, asking } = order;
  if (goesDirectly(server)) return undefined;
  const routes = await proxies.routesTo(url);
  if (!routes.ok) throw new ProxyError(routes.error, true);
  let missing: ProxyError | undefined;
  for (const route of routes.value) {
    if (route === 'direct') return undefined;
    asking?.(hostAndPort(route));
    try {
      const line = await ask(route, order);
      if (!signal.aborted) return line;
      // Nobody waits for it any more.
      line.destroy();
      throw new Error('given up');
    } catch (error) {
      if (signal.aborted || !(error instanceof ProxyError) || !isProxyMissing(error)) throw error;
      missing ??= error;
    }
  }
  if (missing !== undefined) throw missing;
  return undefined;
}

async function ask(proxy: Proxy, order: TunnelOrder): Promise<Socket> {
  const { server, signal, patienceMs = usualPatienceMs } = order;
  const open = proxy.scheme.startsWith('socks') ? openSocksTunnel : openConnectTunnel;
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort();
  }, patienceMs);
  try {
    return await open(proxy, server, AbortSignal.any([signal, late.signal]));
  } catch (error) {
    throw late.signal.aborted ? slowFault(proxy, hostAndPort(server)) : error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Asks an HTTP proxy for a connection to the server (CONNECT), whatever is spoken on it afterwards: a plain WebSocket
 * goes through a tunnel as well, so that no proxy reads or changes it. Rejects with a `ProxyError`.
 */
function openConnectTunnel(
  proxy: Proxy,
  server: ServerPlace,
  signal: AbortSignal,
): Promise<Socket> {
  const path = hostAndPort(server);
  const options = {
    method: 'CONNECT',
    host: proxy.host,
    port: proxy.port,
    path,
    headers: { host: path, ...authorization(proxy) },
    agent: false as const,
    signal,
  };
  return new Promise((resolve, reject) => {
    const asking =
      proxy.scheme === 'https'
        ? requestSecure({
            ...options,
            ca: systemCertificates(),
            // Otherwise it is held against the name of the server.
            servername: isIP(proxy.host) === 0 ? proxy.host : '',
          })
        : requestPlain(options);
    asking.on('connect', ({ statusCode: status = 0 }: IncomingMessage, line: Socket, head) => {
      if (status >= 200 && status < 300) {
        if (head.length > 0) line.unshift(head);
        resolve(line);
        return;
      }
      // It is being cut: whatever happens to it adds nothing.
      line.on('error', () => undefined);
      line.destroy();
      reject(
        status === 407
          ? loginFault(proxy)
          : refusalFault(proxy, { server: path, status, lets: status >= 500 }),
      );
    });
    asking.on('error', (error) => {
      reject(lineFault(proxy, error));
    });
    asking.end();
  });
}

function authorization({ login }: Proxy): Readonly<Record<string, string>> {
  if (login === undefined) return {};
  const text = Buffer.from(`${login.name}:${login.password}`).toString('base64');
  return { 'proxy-authorization': `Basic ${text}` };
}

/** Longer than anybody waits for it: whoever asked breaks it off. */
const timeout = 60_000;

/** Asks a SOCKS proxy for a connection to the server, by its name, which the proxy looks up. Rejects with a `ProxyError`. */
async function openSocksTunnel(
  proxy: Proxy,
  server: ServerPlace,
  signal: AbortSignal,
): Promise<Socket> {
  const line = connect({ host: proxy.host, port: proxy.port });
  const cut = (): void => {
    line.destroy(new Error('given up'));
  };
  // Only while it is asked: what is spoken on it afterwards is not broken off by a patience that has run out.
  signal.addEventListener('abort', cut, { once: true });
  if (signal.aborted) cut();
  try {
    await connected(line, proxy);
    const { login, host, port, scheme } = proxy;
    await SocksClient.createConnection({
      proxy: {
        host,
        port,
        type: scheme === 'socks4' ? 4 : 5,
        ...(login && { userId: login.name, password: login.password }),
      },
      command: 'connect',
      destination: server,
      timeout,
      existing_socket: line,
    });
    return line;
  } catch (error) {
    if (error instanceof ProxyError) throw error;
    // The error carries the password, and goes no further.
    throw faultOf(proxy, server, error instanceof Error ? error.message : '');
  } finally {
    signal.removeEventListener('abort', cut);
  }
}

function connected(line: Socket, proxy: Proxy): Promise<void> {
  return new Promise((resolve, reject) => {
    // As long as it lives: what is heard here of a line that is being spoken on, its user hears as well.
    line.on('error', (error) => {
      reject(lineFault(proxy, error));
    });
    line.once('connect', resolve);
  });
}

/** The numbers of RFC 1928 by the names that the library gives them. */
const refusals: readonly (readonly [name: string, status: number])[] = [
  ['NotAllowed', 2],
  ['NetworkUnreachable', 3],
  ['HostUnreachable', 4],
  ['ConnectionRefused', 5],
  ['TTLExpired', 6],
];

function faultOf(proxy: Proxy, server: ServerPlace, message: string): ProxyError {
  if (/Authentication failed|no accepted authentication type/u.test(message))
    return loginFault(proxy);
  const rejected = /rejected connection - \(?(\w+)/u.exec(message)?.[1];
  if (rejected !== undefined) {
    const status = refusals.find(([name]) => name === rejected)?.[1] ?? 1;
    return refusalFault(proxy, { server: hostAndPort(server), status, lets: status > 2 });
  }
  return /invalid|unknown/iu.test(message) ? noProxyFault(proxy) : lineFault(proxy, undefined);
}

/** A server as a connection is made to it; an IPv6 address without its brackets. */
export interface ServerPlace {
  readonly host: string;
  readonly port: number;
}

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
function isProxyMissing({ error: { code } }: ProxyError): boolean {
  return (
    code === 'proxyAway' ||
    code === 'proxySlow' ||
    code === 'noProxyThere' ||
    code === 'proxyUntrusted'
  );
}

function loginFault(proxy: Proxy): ProxyError {
  const code = proxy.login === undefined ? 'proxyWantsLogin' : 'proxyRefusesLogin';
  return new ProxyError(appError(code, { proxy: hostAndPort(proxy) }), true);
}

/** `lets` is whether the proxy would let somebody through, and found nobody there. */
function refusalFault(
  proxy: Proxy,
  { server, status, lets }: { server: string; status: number; lets: boolean },
): ProxyError {
  const facts = { proxy: hostAndPort(proxy), server, status };
  return lets
    ? new ProxyError(appError('proxyReachesNothing', facts))
    : new ProxyError(appError('proxyForbids', facts), true);
}

function slowFault(proxy: Proxy, server: string): ProxyError {
  return new ProxyError(appError('proxySlow', { proxy: hostAndPort(proxy), server }));
}

function noProxyFault(proxy: Proxy): ProxyError {
  return new ProxyError(appError('noProxyThere', { proxy: hostAndPort(proxy) }), true);
}

const certificateCodes = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT)/u;
const otherTongues = /^(?:HPE_|EPROTO|ERR_SSL_)/u;

/** What went wrong on the way to the proxy itself, by the system's name for it: its text may have more in it. */
function lineFault(proxy: Proxy, error: unknown): ProxyError {
  const code = errorCode(error);
  const facts = { proxy: hostAndPort(proxy) };
  if (certificateCodes.test(code)) return new ProxyError(appError('proxyUntrusted', facts), true);
  if (otherTongues.test(code)) return noProxyFault(proxy);
  return new ProxyError(appError('proxyAway', facts, { detail: code }));
}
