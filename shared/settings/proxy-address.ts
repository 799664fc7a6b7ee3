export type ProxyScheme = 'http' | 'https' | 'socks4' | 'socks5';

export interface ProxyServer {
  readonly scheme: ProxyScheme;
  /** An IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
}

export interface ProxyLogin {
  readonly name: string;
  readonly password: string;
}

export interface Proxy extends ProxyServer {
  readonly login?: ProxyLogin | undefined;
}

/** A proxy, or a direct connection. */
export type ProxyRoute = Proxy | 'direct';

const defaultPorts: Readonly<Record<ProxyScheme, number>> = {
  http: 80,
  https: 443,
  socks4: 1080,
  socks5: 1080,
};

/** Schemes that an address may have. The proxy resolves host names where the protocol allows it. */
const schemes: Readonly<Record<string, ProxyScheme>> = {
  http: 'http',
  https: 'https',
  socks: 'socks5',
  socks5: 'socks5',
  socks5h: 'socks5',
  socks4: 'socks4',
  socks4a: 'socks4',
};

/** A password may contain `@`, so the last one separates the login from the host. */
const proxyPattern =
  /^(?<scheme>[a-z\d]+):\/\/(?:(?<login>.*)@)?(?<host>\[[\da-f:.]+\]|[^\s:[\]/?#@\\]+)(?::(?<port>\d{1,5}))?\/?$/iu;

/** Parses a proxy from user input or an environment variable. */
export function parseProxy(text: string): Proxy | undefined {
  const { scheme = '', login, host = '', port } = proxyPattern.exec(text.trim())?.groups ?? {};
  const known = schemes[scheme.toLowerCase()];
  if (known === undefined) return undefined;
  const portNumber = port === undefined ? defaultPorts[known] : Number(port);
  if (portNumber < 1 || portNumber > 65_535) return undefined;
  const server: ProxyServer = {
    scheme: known,
    host: host.replace(/^\[|\]$/gu, '').toLowerCase(),
    port: portNumber,
  };
  return login === undefined ? server : { ...server, login: parseLogin(login) };
}

/** Parses a proxy from the settings, which require a port and exclude SOCKS 4. */
export function parseProxySetting(text: string): Proxy | undefined {
  if (!/:\d+\/?$/u.test(text.trim())) return undefined;
  const proxy = parseProxy(text);
  return proxy?.scheme === 'socks4' ? undefined : proxy;
}

/** The address without the login, safe to store and show. */
export function proxyAddress(proxy: ProxyServer): string {
  return `${proxy.scheme}://${hostAndPort(proxy)}`;
}

export function hostAndPort({ host, port }: Pick<ProxyServer, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function parseLogin(text: string): ProxyLogin {
  const [name = '', ...password] = text.split(':');
  return { name: decodeLogin(name), password: decodeLogin(password.join(':')) };
}

/** A literal percent sign in a password is not an encoding error. */
function decodeLogin(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const pacSchemes: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  // Browsers take SOCKS without a version as version 4.
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
};

/**
 * Parses a PAC result such as `PROXY a:1; SOCKS5 b:2; DIRECT`, in order of preference. Unknown entries are skipped;
 * without a known one, the route is direct.
 */
export function parsePacResult(answer: string): readonly ProxyRoute[] {
  const routes = answer.split(';').flatMap((part): readonly ProxyRoute[] => {
    const [kind = '', address = ''] = part.trim().split(/\s+/u);
    if (kind.toUpperCase() === 'DIRECT') return ['direct'];
    const scheme = pacSchemes[kind.toUpperCase()];
    const proxy = scheme === undefined ? undefined : parseProxy(`${scheme}://${address}`);
    return proxy === undefined ? [] : [proxy];
  });
  return routes.length === 0 ? ['direct'] : routes;
}

/** 127.0.0.0/8, also mapped to IPv6, ::1, and names under `localhost`. */
const loopbackPattern =
  /^(?:(?:.+\.)?localhost\.?|(?:::ffff:)?127(?:\.\d{1,3}){3}|(?:0*:)+0*1|::ffff:7f[\da-f]{2}:[\da-f]{1,4})$/iu;

/**
 * Whether a host is this machine, which never uses a proxy. Names under `.localhost` count, because a proxy would
 * resolve them to itself.
 */
export function isLoopbackHost(host: string): boolean {
  return loopbackPattern.test(host.replace(/^\[|\]$/gu, ''));
}
