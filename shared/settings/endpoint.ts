import { failure, type Failure, type Outcome, truncateLine } from '../errors/app-error.ts';

/** A validated server, ready to connect. */
export interface Endpoint {
  /** `ws:` or `wss:` with a path, without user info or fragment. */
  readonly url: string;
  /** Sent only in the Authorization header. */
  readonly token?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Query fields besides those of the URL and `mode`. */
  readonly query: Readonly<Record<string, string>>;
  /** Accepts any certificate. */
  readonly insecure: boolean;
  /** SHA-256 of the only trusted certificate, as `AA:BB:…`. */
  readonly fingerprint?: string | undefined;
}

export interface EndpointText {
  readonly url: string;
  readonly token?: string | undefined;
  /** Each is `Name: value`. */
  readonly headers?: readonly string[] | undefined;
  /** Each is `name=value`. */
  readonly query?: readonly string[] | undefined;
  readonly insecure?: boolean | undefined;
  readonly fingerprint?: string | undefined;
}

/** Path of the Realtime API if the address has none. */
const defaultPath = '/v1/realtime';

/** Validates an endpoint. Errors never contain a secret. */
export function parseEndpoint(text: EndpointText): Outcome<Endpoint> {
  const url = readAddress(text.url.trim());
  if (!url.ok) return url;
  const headers = parseFields(text.headers ?? [], parseHeader);
  if (!headers.ok) return headers;
  const query = parseFields(text.query ?? [], parseQueryField);
  if (!query.ok) return query;
  const fingerprint = parseFingerprint(text.fingerprint);
  if (!fingerprint.ok) return fingerprint;
  const tokenError = tokenFault(text.token, headers.value);
  if (tokenError !== undefined) return tokenError;
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

/** Scheme, server and path: the part that may be shown, logged and recorded. */
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

/** Adds a scheme to `host:port`. Port 443 implies TLS. */
function withScheme(address: string): string {
  const [, port] = /^(?:[a-z\d.-]+|\[[\da-f:.]+\]):(\d{1,5})(?:[/?].*)?$/i.exec(address) ?? [];
  if (port === undefined) return address;
  return `${port === '443' ? 'wss' : 'ws'}://${address}`;
}

function readAddress(written: string): Outcome<string> {
  const url = withScheme(written);
  const shown = truncateLine(displayAddress(url));
  const [, scheme, server = '', path = '', query = '', fragment] =
    /^([a-z][a-z\d+.-]*):\/\/([^/?#\\]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(url) ?? [];
  if (url === '') return failure('addressEmpty');
  const fault = (code: AddressFault): Failure => failure(code, { address: shown });
  if (scheme === undefined) return fault('noScheme');
  const wireScheme = schemes[scheme.toLowerCase()];
  if (wireScheme === undefined) return failure('otherScheme', { scheme: truncateLine(scheme) });
  if (server.includes('@')) return fault('userInAddress');
  if (fragment !== undefined) return fault('hashInAddress');
  if (/\s/.test(url)) return fault('spaceInAddress');
  const [, host, port] = /^(\[[\da-f:.]+\]|[^\s:[\]]+)(?::(\d{1,5}))?$/i.exec(server) ?? [];
  if (host === undefined) return fault('noHost');
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) {
    return failure('badPort', { address: shown, port });
  }
  const fullPath = path === '' || path === '/' ? defaultPath : path;
  return { ok: true, value: `${wireScheme}://${server}${fullPath}${query}` };
}

function tokenFault(
  token: string | undefined,
  headers: Readonly<Record<string, string>>,
): Outcome<never> | undefined {
  if (token === undefined) return undefined;
  if (!/^[\x21-\x7e]+$/.test(token) || token.length > maxTokenLength) return failure('tokenForm');
  const hasAuthorization = Object.keys(headers).some(
    (name) => name.toLowerCase() === 'authorization',
  );
  return hasAuthorization ? failure('tokenTwice') : undefined;
}

function parseFields(
  texts: readonly string[],
  read: (text: string) => Outcome<readonly [string, string]>,
): Outcome<Readonly<Record<string, string>>> {
  const fields: (readonly [string, string])[] = [];
  for (const text of texts) {
    const field = read(text);
    if (!field.ok) return field;
    fields.push(field.value);
  }
  return { ok: true, value: Object.fromEntries(fields) };
}

/** Servers refuse longer headers. */
const maxTokenLength = 8000;

/** The WebSocket upgrade sets these headers; a duplicate would break it. */
const reservedHeaders =
  /^(connection|upgrade|host|content-length|transfer-encoding|sec-websocket-.*)$/i;

/** Parses `Name: value`. Errors omit the value, because it may be a secret. */
function parseHeader(text: string): Outcome<readonly [string, string]> {
  // Split by index: a pattern with spaces on both sides backtracks for long input.
  const separator = text.indexOf(':');
  const name = text.slice(0, Math.max(0, separator)).trimEnd();
  const value = text.slice(separator + 1).trim();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return failure('headerForm');
  if (reservedHeaders.test(name)) return failure('headerReserved', { name: truncateLine(name) });
  if (!/^[\x20-\x7e\t]*$/.test(value)) {
    return failure('headerCharacters', { name: truncateLine(name) });
  }
  return { ok: true, value: [name, value] };
}

function parseQueryField(text: string): Outcome<readonly [string, string]> {
  const separator = text.indexOf('=');
  if (separator < 1) return failure('queryForm');
  const name = text.slice(0, separator);
  if (name === 'mode') return failure('queryMode');
  return { ok: true, value: [name, text.slice(separator + 1)] };
}

/** Accepts hexadecimal with or without colons, as browsers and openssl show it. */
function parseFingerprint(text: string | undefined): Outcome<string | undefined> {
  if (text === undefined) return { ok: true, value: undefined };
  const digits = text
    .trim()
    .replace(/^sha-?256[:=]?\s*(fingerprint=)?/i, '')
    .replaceAll(':', '');
  if (!/^[\da-f]{64}$/i.test(digits)) return failure('fingerprintForm');
  return { ok: true, value: digits.toUpperCase().replace(/(..)(?!$)/g, '$1:') };
}

/** Shorter values are too common in text to redact. */
const minSecretLength = 6;

/** Query fields that are not secret. All others might be. */
const publicFields: ReadonlySet<string> = new Set(['model', 'mode']);

const mask = '•••';

/** Secrets sent to a server. Its replies may repeat them, so they are redacted. */
export function endpointSecrets({ url, token, headers, query }: Endpoint): readonly string[] {
  const sent = Object.entries(query).map(([name, value]) => [name, encodeField(value)] as const);
  const fields = [...Object.entries(query), ...sent, ...queryOf(url)].filter(
    ([name]) => !publicFields.has(name.toLowerCase()),
  );
  const all = [token, ...Object.values(headers), ...fields.map(([, value]) => value)];
  const redactable = all.filter((value) => value !== undefined && value.length >= minSecretLength);
  // Longest first, so that a secret inside another does not split it.
  return [...new Set(redactable as string[])].toSorted((a, b) => b.length - a.length);
}

/** The query fields of an address, each as it is written, decoded and sent: a server may repeat any of them. */
function queryOf(url: string): readonly (readonly [string, string])[] {
  const [, query = ''] = /\?(.*)$/u.exec(url) ?? [];
  return query.split('&').flatMap((field) => {
    const [name = '', ...rest] = field.split('=');
    const written = rest.join('=');
    const decoded = decodeField(written);
    return [written, decoded, encodeField(decoded)].map((value) => [name, value] as const);
  });
}

function decodeField(written: string): string {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    // A stray percent sign: the server gets the field as it is written.
    return written;
  }
}

/** Encodes a value as `URLSearchParams` does, and as addresses of requests therefore have it. */
function encodeField(value: string): string {
  const wellFormed = value.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
  return encodeURIComponent(wellFormed)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function redactSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, mask), text);
}
