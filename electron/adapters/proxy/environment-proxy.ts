import { env, platform } from 'node:process';
import { getProxyForUrl } from 'proxy-from-env';
import { readProxyAddress } from '../../../shared/proxy/proxy-address.ts';
import type { AskSystemProxy } from '../../ports/proxies.ts';

/**
 * What HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY say, in large letters or small. What is no proxy's address is
 * none: other programs live with it, too.
 */
export const askEnvironment: AskSystemProxy = (url) => {
  const found = getProxyForUrl(url.replace(/^ws/iu, 'http'));
  // Without a scheme one of HTTP is meant, as everywhere; the library would take the server's.
  const bare = /^https?:\/\/(.*)$/u.exec(found)?.[1];
  const isBare = bare !== undefined && Object.values(env).includes(bare);
  const proxy = readProxyAddress(isBare ? `http://${bare}` : found);
  return Promise.resolve([proxy ?? 'direct']);
};

/**
 * The host's system, where it can be asked. On Linux an engine looks into the environment first, too, but leaves out a
 * name and a password, and takes SOCKS for HTTP: where a proxy is named there, this reads it instead.
 */
export function askSystemBy(host: AskSystemProxy | undefined): AskSystemProxy {
  if (host === undefined) return askEnvironment;
  return (url) => (platform === 'linux' && namesProxy() ? askEnvironment(url) : host(url));
}

function namesProxy(): boolean {
  const names = ['http_proxy', 'https_proxy', 'all_proxy'];
  return names.some((name) => (env[name] ?? env[name.toUpperCase()] ?? '') !== '');
}
