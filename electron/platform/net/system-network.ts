import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import { env, platform } from 'node:process';
import * as tls from 'node:tls';
import { getProxyForUrl } from 'proxy-from-env';
import type { AskSystemProxy } from '../../../shared/ports/sockets.ts';
import { readProxyAddress } from '../../../shared/settings/proxy-address.ts';

/** Where Debian and Fedora, and those that come of them, keep what the machine trusts. */
const defaultBundles: readonly string[] = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
];
/** Real bundles have a quarter of a megabyte. */
const maxBundleBytes = 4 * 1024 * 1024;

let certificates: readonly string[] | undefined;

/** What this machine trusts beside Node's own list; looked for once, when it is first needed. */
export function systemCertificates(): string[] {
  certificates ??= listed() ?? bundledCertificates(process.env, defaultBundles);
  return [...certificates];
}

interface SecureWay {
  /** A tunnel to the server; a line of its own where it is left out. */
  readonly socket?: Socket | undefined;
  /** False for who judges the certificate by other rules. */
  readonly rejectUnauthorized?: boolean;
}

/** A TLS connection whose certificate is held against the server's name, also over a tunnel. */
export function connectSecurely(
  { host, port }: { readonly host: string; readonly port: number },
  { socket, ...rest }: SecureWay,
): tls.TLSSocket {
  return tls.connect({
    host,
    port,
    ...(socket && { socket }),
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
    ca: systemCertificates(),
    ...rest,
  });
}

/** Newer versions of Node list them. */
function listed(): readonly string[] | undefined {
  const get: unknown = Reflect.get(tls, 'getCACertificates');
  if (typeof get !== 'function') return undefined;
  const list = get as (kind: 'default' | 'system') => readonly string[];
  return [...list('default'), ...list('system')];
}

/**
 * For older ones: Node's own list, what NODE_EXTRA_CA_CERTS adds to it (which naming a list of one's
 * own would take away), and the bundles that OpenSSL's programs use here. A bundle that is not there
 * adds nothing.
 */
export function bundledCertificates(
  env: NodeJS.ProcessEnv,
  bundles: readonly string[],
): readonly string[] {
  const named = [env['NODE_EXTRA_CA_CERTS'] ?? '', env['SSL_CERT_FILE'] ?? ''];
  const paths = [...named, ...bundles].filter((path) => path !== '');
  const found = new Set(tls.rootCertificates);
  for (const path of new Set(paths)) {
    for (const certificate of certificatesIn(path)) found.add(certificate);
  }
  return [...found];
}

const form = /-----BEGIN CERTIFICATE-----[\w\s+/=]+-----END CERTIFICATE-----/g;

function certificatesIn(path: string): readonly string[] {
  try {
    if (statSync(path).size > maxBundleBytes) return [];
    const found = readFileSync(path, 'utf8').match(form) ?? [];
    return found.map((text) => text.replaceAll('\r', '')).filter(isCertificate);
  } catch {
    return [];
  }
}

/** A single one that cannot be read would spoil the whole list for TLS. */
function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

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
