/** The ways in which a proxy is spoken to. */
export type ProxyScheme = 'http' | 'https' | 'socks4' | 'socks5';

/** Where a proxy is. */
export interface ProxyPlace {
  readonly scheme: ProxyScheme;
  /** An IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
}

/** How a proxy is told who asks. */
export interface ProxyLogin {
  readonly name: string;
  readonly password: string;
}

/** A proxy that is ready to be asked. */
export interface Proxy extends ProxyPlace {
  readonly login?: ProxyLogin | undefined;
}

/** One way to a server: by a proxy, or by none. */
export type ProxyRoute = Proxy | 'direct';

/** Whoever leaves the port out means the one that is usual for these. */
const usualPorts: Readonly<Record<ProxyScheme, number>> = {
  http: 80,
  https: 443,
  socks4: 1080,
  socks5: 1080,
};

/** As programs write them; the name is always looked up by the proxy, where the protocol lets it be. */
const schemes: Readonly<Record<string, ProxyScheme>> = {
  http: 'http',
  https: 'https',
  socks: 'socks5',
  socks5: 'socks5',
  socks5h: 'socks5',
  socks4: 'socks4',
  socks4a: 'socks4',
};

/** A password may have any sign in it, so that the last `@` is the one before the name of the proxy. */
const form =
  /^(?<scheme>[a-z\d]+):\/\/(?:(?<login>.*)@)?(?<host>\[[\da-f:.]+\]|[^\s:[\]/?#@\\]+)(?::(?<port>\d{1,5}))?\/?$/iu;

/** A proxy as a person or an environment writes it, or nothing where it is none. */
export function readProxyAddress(text: string): Proxy | undefined {
  const { scheme = '', login, host = '', port } = form.exec(text.trim())?.groups ?? {};
  const known = schemes[scheme.toLowerCase()];
  if (known === undefined) return undefined;
  const number = port === undefined ? usualPorts[known] : Number(port);
  if (number < 1 || number > 65_535) return undefined;
  const place: ProxyPlace = {
    scheme: known,
    host: host.replace(/^\[|\]$/gu, '').toLowerCase(),
    port: number,
  };
  return login === undefined ? place : { ...place, login: readLogin(login) };
}

/** What a person may set: with its port, and of a kind that is still made. */
export function readSetProxy(text: string): Proxy | undefined {
  if (!/:\d+\/?$/u.test(text.trim())) return undefined;
  const proxy = readProxyAddress(text);
  return proxy?.scheme === 'socks4' ? undefined : proxy;
}

/** Without a login: what may be kept in the settings and shown. */
export function proxyAddress(proxy: ProxyPlace): string {
  return `${proxy.scheme}://${hostAndPort(proxy)}`;
}

/** What a sentence calls a proxy or a server. */
export function hostAndPort({ host, port }: Pick<ProxyPlace, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function readLogin(text: string): ProxyLogin {
  const [name = '', ...password] = text.split(':');
  return { name: decoded(name), password: decoded(password.join(':')) };
}

/** A password with a percent sign of its own is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As proxy scripts, and with them systems, say it. */
const pacSchemes: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  // Of no version: the fourth, as browsers take it.
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
};

/**
 * The ways that an answer like `PROXY a:1; SOCKS5 b:2; DIRECT` names, the best first. What is not understood is left
 * out; an answer that names none at all means that there is no proxy.
 */
export function readPacAnswer(answer: string): readonly ProxyRoute[] {
  const routes = answer.split(';').flatMap((part): readonly ProxyRoute[] => {
    const [kind = '', place = ''] = part.trim().split(/\s+/u);
    if (kind.toUpperCase() === 'DIRECT') return ['direct'];
    const scheme = pacSchemes[kind.toUpperCase()];
    const proxy = scheme === undefined ? undefined : readProxyAddress(`${scheme}://${place}`);
    return proxy === undefined ? [] : [proxy];
  });
  return routes.length === 0 ? ['direct'] : routes;
}

/** Every address under 127, an IPv4 one in an IPv6 address, and the names that stand for this machine. */
const loopback =
  /^(?:(?:.+\.)?localhost\.?|(?:::ffff:)?127(?:\.\d{1,3}){3}|(?:0*:)+0*1|::ffff:7f[\da-f]{2}:[\da-f]{1,4})$/iu;

/**
 * Whether what is sent to a host never leaves this machine: no proxy is asked for it, whatever is set. A name under
 * `.localhost` is among them, because a proxy would look it up as its own.
 */
export function isLoopbackHost(host: string): boolean {
  return loopback.test(host.replace(/^\[|\]$/gu, ''));
}
