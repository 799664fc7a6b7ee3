import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import { env, platform } from 'node:process';
import * as tls from 'node:tls';
import { getProxyForUrl } from 'proxy-from-env';
import type { ResolveSystemProxy } from '../../../shared/ports/sockets.ts';
import { parseProxy } from '../../../shared/settings/proxy-address.ts';

/** The certificate bundles of Debian and Fedora, and of distributions based on them. */
const defaultBundles: readonly string[] = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
];
const maxBundleBytes = 4 * 1024 * 1024;

let certificates: readonly string[] | undefined;

/** The certificates that this machine trusts, including Node's. They are read on first use. */
export function systemCertificates(): string[] {
  certificates ??= listNodeCertificates() ?? bundledCertificates(process.env, defaultBundles);
  return [...certificates];
}

interface SecureOptions {
  /** A tunnel to the server. Undefined for a direct connection. */
  readonly socket?: Socket | undefined;
  /** False if the caller checks the certificate itself. */
  readonly rejectUnauthorized?: boolean;
}

/** Opens a TLS connection and verifies the server's name, also through a tunnel. */
export function connectSecurely(
  { host, port }: { readonly host: string; readonly port: number },
  { socket, ...options }: SecureOptions,
): tls.TLSSocket {
  return tls.connect({
    host,
    port,
    ...(socket && { socket }),
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
    ca: systemCertificates(),
    ...options,
  });
}

const certificateCodes = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT)/u;

/** Whether a connection that failed with this code failed because of the certificate. */
export function isCertificateError(code: string): boolean {
  return certificateCodes.test(code);
}

/** Lists the certificates with a function of newer Node versions. Undefined in older ones. */
function listNodeCertificates(): readonly string[] | undefined {
  const get: unknown = Reflect.get(tls, 'getCACertificates');
  if (typeof get !== 'function') return undefined;
  const list = get as (kind: 'default' | 'system') => readonly string[];
  return [...list('default'), ...list('system')];
}

/**
 * Lists the certificates for older Node versions: Node's own, those of NODE_EXTRA_CA_CERTS (which Node ignores if it gets a
 * list) and SSL_CERT_FILE, and the system's bundles. Skips missing and oversized bundles.
 */
export function bundledCertificates(
  env: NodeJS.ProcessEnv,
  bundles: readonly string[],
): readonly string[] {
  const environmentPaths = [env['NODE_EXTRA_CA_CERTS'] ?? '', env['SSL_CERT_FILE'] ?? ''];
  const paths = [...environmentPaths, ...bundles].filter((path) => path !== '');
  const found = new Set(tls.rootCertificates);
  for (const path of new Set(paths)) {
    for (const certificate of readCertificates(path)) found.add(certificate);
  }
  return [...found];
}

const certificatePattern = /-----BEGIN CERTIFICATE-----[\w\s+/=]+-----END CERTIFICATE-----/g;

function readCertificates(path: string): readonly string[] {
  try {
    if (statSync(path).size > maxBundleBytes) return [];
    const found = readFileSync(path, 'utf8').match(certificatePattern) ?? [];
    return found.map((text) => text.replaceAll('\r', '')).filter(isCertificate);
  } catch {
    return [];
  }
}

/** Whether a certificate can be read. A single one that cannot would make TLS reject the whole list. */
function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

/** Reads the proxy from HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY. Ignores an invalid address. */
export const readEnvironmentProxy: ResolveSystemProxy = (url) => {
  const found = getProxyForUrl(url.replace(/^ws/iu, 'http'));
  // An address without a scheme means HTTP, as in other programs. The library would add the server's scheme.
  const bare = /^https?:\/\/(.*)$/u.exec(found)?.[1];
  const isBare = bare !== undefined && Object.values(env).includes(bare);
  const proxy = parseProxy(isBare ? `http://${bare}` : found);
  return Promise.resolve([proxy ?? 'direct']);
};

/**
 * Asks the host for the system's proxy, if it can tell. On Linux, if the environment names a proxy, Parley reads
 * it itself, because Chromium drops logins and treats SOCKS as HTTP.
 */
export function createProxyLookup(host: ResolveSystemProxy | undefined): ResolveSystemProxy {
  if (host === undefined) return readEnvironmentProxy;
  return (url) =>
    platform === 'linux' && environmentNamesProxy() ? readEnvironmentProxy(url) : host(url);
}

function environmentNamesProxy(): boolean {
  const names = ['http_proxy', 'https_proxy', 'all_proxy'];
  return names.some((name) => (env[name] ?? env[name.toUpperCase()] ?? '') !== '');
}
