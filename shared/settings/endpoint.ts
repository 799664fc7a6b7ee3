import { failure, type Failure } from '../errors/app-error.ts';
import { shortened } from '../errors/session-reasons.ts';

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

/** A value that has been checked, or the one sentence that says what is wrong with it, and its code. */
export type Checked<Value> = { readonly ok: true; readonly value: Value } | Failure;

/** Servers refuse headers beyond this anyway. */
const maxTokenLength = 8000;

/** What the upgrade itself is made of; a second one of these would break it. */
const reserved = /^(connection|upgrade|host|content-length|transfer-encoding|sec-websocket-.*)$/i;

/** `Name: value`. A value may be a secret, so that no problem shows it. */
function parseHeader(text: string): Checked<readonly [string, string]> {
  // Cut by hand: a pattern with spaces on both sides looks back again and again where there are thousands.
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(0, at)).trimEnd();
  const value = text.slice(at + 1).trim();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return failure('headerForm');
  }
  if (reserved.test(name)) {
    return failure('headerReserved', { name: shortened(name) });
  }
  if (!/^[\x20-\x7e\t]*$/.test(value)) {
    return failure('headerCharacters', { name: shortened(name) });
  }
  return { ok: true, value: [name, value] };
}

/** `name=value`. */
function parseQueryField(text: string): Checked<readonly [string, string]> {
  const at = text.indexOf('=');
  if (at < 1) {
    return failure('queryForm');
  }
  const name = text.slice(0, at);
  if (name === 'mode') {
    return failure('queryMode');
  }
  return { ok: true, value: [name, text.slice(at + 1)] };
}

/** SHA-256 in hexadecimal, with or without colons, as browsers and openssl show it. */
function parseFingerprint(text: string | undefined): Checked<string | undefined> {
  if (text === undefined) return { ok: true, value: undefined };
  const digits = text
    .trim()
    .replace(/^sha-?256[:=]?\s*(fingerprint=)?/i, '')
    .replaceAll(':', '');
  if (!/^[\da-f]{64}$/i.test(digits)) {
    return failure('fingerprintForm');
  }
  return { ok: true, value: digits.toUpperCase().replace(/(..)(?!$)/g, '$1:') };
}

/** Shorter ones are words that occur anyway; nobody protects anything with them. */
const minSecretLength = 6;

/** Query fields that are known to be no secret; of any other nobody can say. */
const openFields: ReadonlySet<string> = new Set(['model', 'mode']);

const mask = '•••';

/** What a server was given to know us by: its answers may repeat it, and nobody else is to see it. */
export function secretsOf({ token, headers, query }: Endpoint): readonly string[] {
  const fields = Object.entries(query).filter(([name]) => !openFields.has(name.toLowerCase()));
  const all = [token, ...Object.values(headers), ...fields.map(([, value]) => value)];
  const long = all.filter((value) => value !== undefined && value.length >= minSecretLength);
  // Longer ones first, so that one that holds another is taken whole.
  return [...new Set(long as string[])].toSorted((a, b) => b.length - a.length);
}

/** A text without them. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, mask), text);
}
