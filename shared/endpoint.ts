import { failure } from './errors/app-error.ts';
import type { Failure } from './errors/app-error.ts';
import { shortened } from './errors/session-reasons.ts';
import {
  parseHeader,
  maxTokenLength,
  parseQueryField,
  parseFingerprint,
} from './endpoint-parts.ts';
import type { Checked } from './endpoint-parts.ts';

/** A server to talk to, checked and ready to connect. */
export interface Endpoint {
  /** `ws:` or `wss:`, with a path, without userinfo or fragment. */
  readonly url: string;
  /** Goes into the Authorization header and nowhere else. */
  readonly token?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields that the address gets besides its own and `mode`. */
  readonly query: Readonly<Record<string, string>>;
  /** Takes any certificate. */
  readonly insecure: boolean;
  /** SHA-256 of the one certificate that is trusted, as `AA:BB:…`. */
  readonly fingerprint?: string | undefined;
}

/** An endpoint as a person writes it. */
export interface EndpointText {
  readonly url: string;
  readonly token?: string | undefined;
  /** Each `Name: value`. */
  readonly headers?: readonly string[] | undefined;
  /** Each `name=value`. */
  readonly query?: readonly string[] | undefined;
  readonly insecure?: boolean | undefined;
  readonly fingerprint?: string | undefined;
}

/** Where the Realtime API lives when an address names only the server. */
const defaultPath = '/v1/realtime';

/** Checks an endpoint; an error never has a secret in it. */
export function parseEndpoint(text: EndpointText): Checked<Endpoint> {
  const url = readAddress(text.url.trim());
  if (!url.ok) return url;
  const headers = collect(text.headers ?? [], parseHeader);
  if (!headers.ok) return headers;
  const query = collect(text.query ?? [], parseQueryField);
  if (!query.ok) return query;
  const fingerprint = parseFingerprint(text.fingerprint);
  if (!fingerprint.ok) return fingerprint;
  const fault = tokenFault(text.token, headers.value);
  if (fault !== undefined) return fault;
  if (fingerprint.value !== undefined && url.value.startsWith('ws:')) {
    return failure('fingerprintPlain');
  }
  return {
    ok: true,
    value: {
      url: url.value,
      token: text.token,
      headers: headers.value,
      query: query.value,
      insecure: text.insecure ?? false,
      fingerprint: fingerprint.value,
    },
  };
}

/** Scheme, server and path: what of an address may be shown, logged and recorded. */
export function displayAddress(url: string): string {
  const [bare = ''] = url.split(/[?#]/, 1);
  return bare.replace(/^([a-z][a-z\d+.-]*:\/\/)?[^/]*@/i, '$1');
}

const schemes: Readonly<Record<string, string>> = {
  ws: 'ws',
  wss: 'wss',
  http: 'ws',
  https: 'wss',
};

type AddressFault = 'noScheme' | 'userInAddress' | 'hashInAddress' | 'spaceInAddress' | 'noHost';

/** As people write a server of theirs: a name and a port. Only the port of TLS says that it wants that. */
function withScheme(address: string): string {
  const [, port] = /^(?:[a-z\d.-]+|\[[\da-f:.]+\]):(\d{1,5})(?:[/?].*)?$/i.exec(address) ?? [];
  if (port === undefined) return address;
  return `${port === '443' ? 'wss' : 'ws'}://${address}`;
}

function readAddress(written: string): Checked<string> {
  const url = withScheme(written);
  const shown = shortened(displayAddress(url));
  const [, scheme, server = '', path = '', query = '', fragment] =
    /^([a-z][a-z\d+.-]*):\/\/([^/?#\\]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(url) ?? [];
  if (url === '') return failure('addressEmpty');
  const fault = (code: AddressFault): Failure => failure(code, { address: shown });
  if (scheme === undefined) {
    return fault('noScheme');
  }
  const known = schemes[scheme.toLowerCase()];
  if (known === undefined) {
    return failure('otherScheme', { scheme: shortened(scheme) });
  }
  if (server.includes('@')) {
    return fault('userInAddress');
  }
  if (fragment !== undefined) {
    return fault('hashInAddress');
  }
  if (/\s/.test(url)) {
    return fault('spaceInAddress');
  }
  const [, host, port] = /^(\[[\da-f:.]+\]|[^\s:[\]]+)(?::(\d{1,5}))?$/i.exec(server) ?? [];
  if (host === undefined) return fault('noHost');
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) {
    return failure('badPort', { address: shown, port });
  }
  const fullPath = path === '' || path === '/' ? defaultPath : path;
  return { ok: true, value: `${known}://${server}${fullPath}${query}` };
}

function tokenFault(
  token: string | undefined,
  headers: Readonly<Record<string, string>>,
): Checked<never> | undefined {
  if (token === undefined) return undefined;
  if (!/^[\x21-\x7e]+$/.test(token) || token.length > maxTokenLength) {
    return failure('tokenForm');
  }
  const twice = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return twice ? failure('tokenTwice') : undefined;
}

function collect(
  texts: readonly string[],
  read: (text: string) => Checked<readonly [string, string]>,
): Checked<Readonly<Record<string, string>>> {
  const fields: (readonly [string, string])[] = [];
  for (const text of texts) {
    const field = read(text);
    if (!field.ok) return field;
    fields.push(field.value);
  }
  return { ok: true, value: Object.fromEntries(fields) };
}
