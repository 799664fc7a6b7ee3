import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { SocksClient } from 'socks';
import { appError, type AppError, errorCode } from '../../../shared/errors/app-error.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import { hostAndPort, isLoopbackHost, type Proxy } from '../../../shared/settings/proxy-address.ts';
import { isCertificateError, systemCertificates } from './system-network.ts';

/** The time for one proxy. It is shorter than the limits of a server test and of a connection. */
const defaultTimeoutMs = 6000;

export interface TunnelRequest {
  /** The server's URL. Its scheme, host and port select the route. */
  readonly url: string;
  readonly server: ServerAddress;
  readonly proxies: Proxies;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** Called with each proxy that is tried, as `host:port`. */
  readonly onAttempt?: ((proxy: string) => void) | undefined;
}

/** Whether a server is on loopback, which never uses a proxy, whatever the settings say. */
export function bypassesProxy({ host }: Pick<ServerAddress, 'host'>): boolean {
  return isLoopbackHost(host);
}

/** Connects through the first proxy that responds. Undefined if the route is direct. Rejects with a `ProxyError`. */
export async function openTunnel(request: TunnelRequest): Promise<Socket | undefined> {
  const { url, server, proxies, signal, onAttempt } = request;
  if (bypassesProxy(server)) return undefined;
  const routes = await proxies.routesTo(url);
  if (!routes.ok) throw new ProxyError(routes.error, true);
  let firstError: ProxyError | undefined;
  for (const route of routes.value) {
    if (route === 'direct') return undefined;
    onAttempt?.(hostAndPort(route));
    try {
      const socket = await openThroughProxy(route, request);
      if (!signal.aborted) return socket;
      socket.destroy();
      throw new Error('the connection attempt was cancelled');
    } catch (error) {
      if (signal.aborted || !(error instanceof ProxyError) || !canTryNextRoute(error)) throw error;
      firstError ??= error;
    }
  }
  if (firstError !== undefined) throw firstError;
  return undefined;
}

async function openThroughProxy(proxy: Proxy, request: TunnelRequest): Promise<Socket> {
  const { server, signal, timeoutMs = defaultTimeoutMs } = request;
  const open = proxy.scheme.startsWith('socks') ? openSocksTunnel : openConnectTunnel;
  const timeoutController = new AbortController();
  const timer = setTimeout(() => timeoutController.abort(), timeoutMs);
  try {
    return await open(proxy, server, AbortSignal.any([signal, timeoutController.signal]));
  } catch (error) {
    throw timeoutController.signal.aborted ? slowFault(proxy, hostAndPort(server)) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Opens a CONNECT tunnel, even for a plain WebSocket, so that no proxy interprets it. Rejects with a `ProxyError`. */
function openConnectTunnel(
  proxy: Proxy,
  server: ServerAddress,
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
    const connectRequest =
      proxy.scheme === 'https'
        ? requestSecure({
            ...options,
            ca: systemCertificates(),
            // Node would take the name from the `host` header, and check the proxy's certificate against the server's name.
            servername: isIP(proxy.host) === 0 ? proxy.host : '',
          })
        : requestPlain(options);
    connectRequest.on(
      'connect',
      ({ statusCode: status = 0 }: IncomingMessage, socket: Socket, head) => {
        if (status >= 200 && status < 300) {
          if (head.length > 0) socket.unshift(head);
          resolve(socket);
          return;
        }
        // The socket is being destroyed, so its errors do not matter.
        socket.on('error', () => undefined);
        socket.destroy();
        reject(
          status === 407
            ? loginFault(proxy)
            : refusalFault(proxy, { server: path, status, isAllowed: status >= 500 }),
        );
      },
    );
    connectRequest.on('error', (error) => reject(connectionFault(proxy, error)));
    connectRequest.end();
  });
}

function authorization({ login }: Proxy): Readonly<Record<string, string>> {
  if (login === undefined) return {};
  const text = Buffer.from(`${login.name}:${login.password}`).toString('base64');
  return { 'proxy-authorization': `Basic ${text}` };
}

/** The time limit of the SOCKS library, which is longer than every caller's. */
const socksTimeoutMs = 60_000;

/** Opens a tunnel through a SOCKS proxy, which also resolves the server's name. Rejects with a `ProxyError`. */
async function openSocksTunnel(
  proxy: Proxy,
  server: ServerAddress,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connect({ host: proxy.host, port: proxy.port });
  const cancel = (): void => {
    socket.destroy(new Error('the connection attempt was cancelled'));
  };
  // Listens only during the handshake, because the signal must not cut the connection that uses the tunnel.
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    await waitForConnect(socket, proxy);
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
      timeout: socksTimeoutMs,
      existing_socket: socket,
    });
    return socket;
  } catch (error) {
    if (error instanceof ProxyError) throw error;
    // The library's error has the password in it, so it is not passed on.
    throw toProxyError(proxy, server, error instanceof Error ? error.message : '');
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function waitForConnect(socket: Socket, proxy: Proxy): Promise<void> {
  return new Promise((resolve, reject) => {
    // This listener stays attached: without one, a later error of the socket would end the process.
    socket.on('error', (error) => reject(connectionFault(proxy, error)));
    socket.once('connect', resolve);
  });
}

/** Status codes of RFC 1928 by the library's names. */
const replyCodes: readonly (readonly [name: string, status: number])[] = [
  ['NotAllowed', 2],
  ['NetworkUnreachable', 3],
  ['HostUnreachable', 4],
  ['ConnectionRefused', 5],
  ['TTLExpired', 6],
];

function toProxyError(proxy: Proxy, server: ServerAddress, message: string): ProxyError {
  if (/Authentication failed|no accepted authentication type/u.test(message))
    return loginFault(proxy);
  const reply = /rejected connection - \(?(\w+)/u.exec(message)?.[1];
  if (reply !== undefined) {
    const status = replyCodes.find(([name]) => name === reply)?.[1] ?? 1;
    return refusalFault(proxy, { server: hostAndPort(server), status, isAllowed: status > 2 });
  }
  return /invalid|unknown/iu.test(message)
    ? noProxyFault(proxy)
    : connectionFault(proxy, undefined);
}

/** Host and port of a server. An IPv6 address has no brackets. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Contains no login data. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly error: AppError;
  /** Whether a retry fails until the user changes something. */
  readonly isPermanent: boolean;

  constructor(error: AppError, isPermanent = false) {
    super(error.code);
    this.error = error;
    this.isPermanent = isPermanent;
  }
}

/** Whether to try the next route: this proxy is missing, too slow, untrusted or speaks another protocol. */
function canTryNextRoute({ error: { code } }: ProxyError): boolean {
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

/** `isAllowed` is true if the proxy allows the connection but cannot reach the server. */
function refusalFault(
  proxy: Proxy,
  { server, status, isAllowed }: { server: string; status: number; isAllowed: boolean },
): ProxyError {
  const facts = { proxy: hostAndPort(proxy), server, status };
  return isAllowed
    ? new ProxyError(appError('proxyReachesNothing', facts))
    : new ProxyError(appError('proxyForbids', facts), true);
}

function slowFault(proxy: Proxy, server: string): ProxyError {
  return new ProxyError(appError('proxySlow', { proxy: hostAndPort(proxy), server }));
}

function noProxyFault(proxy: Proxy): ProxyError {
  return new ProxyError(appError('noProxyThere', { proxy: hostAndPort(proxy) }), true);
}

const otherProtocolCodes = /^(?:HPE_|EPROTO|ERR_SSL_)/u;

/** A failed connection to the proxy itself. It has only the system's error code, because the text may have the password. */
function connectionFault(proxy: Proxy, error: unknown): ProxyError {
  const code = errorCode(error);
  const facts = { proxy: hostAndPort(proxy) };
  if (isCertificateError(code)) return new ProxyError(appError('proxyUntrusted', facts), true);
  if (otherProtocolCodes.test(code)) return noProxyFault(proxy);
  return new ProxyError(appError('proxyAway', facts, { detail: code }));
}
