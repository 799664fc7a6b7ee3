import { readProxyAddress } from './proxy-address.ts';
import type { ProxyRoute } from './proxy-address.ts';

/** As proxy scripts, and with them systems, say it. */
const schemes: Readonly<Record<string, string>> = {
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
    const scheme = schemes[kind.toUpperCase()];
    const proxy = scheme === undefined ? undefined : readProxyAddress(`${scheme}://${place}`);
    return proxy === undefined ? [] : [proxy];
  });
  return routes.length === 0 ? ['direct'] : routes;
}
