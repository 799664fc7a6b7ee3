import { describe, expect, it } from 'vitest';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import {
  displayAddress,
  endpointSecrets,
  type EndpointText,
  parseEndpoint,
  redactSecrets,
} from '../../../../shared/settings/endpoint.ts';
import { cpuTime } from '../../../fakes/cpu-time.ts';

/** The message of the error for an address that is refused; throws if it is accepted. */
function problemOf(text: EndpointText): string {
  const parsed = parseEndpoint(text);
  if (parsed.ok) throw new Error(`taken: ${parsed.value.url}`);
  return englishErrorMessage(parsed.error);
}

/** The address as Parley connects to it, or the message of the error. */
function urlOf(url: string): string {
  const parsed = parseEndpoint({ url });
  return parsed.ok ? parsed.value.url : englishErrorMessage(parsed.error);
}

const howToWrite = 'begin it with ws://, wss://, http:// or https://';

describe('an address', () => {
  it.each([
    ['ws://host', 'ws://host/v1/realtime'],
    ['wss://host:8006/', 'wss://host:8006/v1/realtime'],
    ['http://127.0.0.1:8006', 'ws://127.0.0.1:8006/v1/realtime'],
    ['HTTPS://host/other', 'wss://host/other'],
    [' wss://host/a/b?model=x ', 'wss://host/a/b?model=x'],
    ['ws://[::1]:8006', 'ws://[::1]:8006/v1/realtime'],
    ['ws://host?model=x', 'ws://host/v1/realtime?model=x'],
    ['localhost:8006', 'ws://localhost:8006/v1/realtime'],
    ['talk.example:443/a?model=x', 'wss://talk.example:443/a?model=x'],
    ['[::1]:8006', 'ws://[::1]:8006/v1/realtime'],
    ['ws://host:1', 'ws://host:1/v1/realtime'],
    ['ws://host:65535', 'ws://host:65535/v1/realtime'],
  ])('is completed: %s becomes %s', (written, url) => {
    expect(urlOf(written)).toBe(url);
  });

  it.each([
    ['', `The address is empty: ${howToWrite}.`],
    ['localhost', `The address “localhost” has no scheme: ${howToWrite}.`],
    ['ws://host:0', 'The address “ws://host:0” has the port 0: ports go from 1 to 65535.'],
    ['ws://host:1a', 'The address “ws://host:1a” has no server name.'],
    ['host:99999', 'The address “ws://host:99999” has the port 99999: ports go from 1 to 65535.'],
    ['host/v1?key=secret', `The address “host/v1” has no scheme: ${howToWrite}.`],
    [
      'ftp://host',
      'Can’t use ftp://. The address must begin with ws://, wss://, http:// or https://.',
    ],
    ['ws://', 'The address “ws://” has no server name.'],
    ['ws://:80', 'The address “ws://:80” has no server name.'],
    ['ws://a b/', 'The address “ws://a b/” contains a space.'],
    [
      'ws://host:99999',
      'The address “ws://host:99999” has the port 99999: ports go from 1 to 65535.',
    ],
    ['ws://host/#part', 'The address “ws://host/” must not have a # part.'],
  ])('is refused with one sentence: %j', (url, problem) => {
    expect(problemOf({ url })).toBe(problem);
  });

  it('is refused with a user name, which is not shown', () => {
    const problem = problemOf({ url: 'wss://me:secret@host/' });
    expect(problem).toBe(
      'The address “wss://host/” contains a user name. Use the access token field instead.',
    );
    expect(problemOf({ url: 'me:secret@host' })).not.toContain('secret');
  });

  it('is displayed without possible secrets', () => {
    expect(displayAddress('wss://me:secret@host:1/path?key=secret#secret')).toBe(
      'wss://host:1/path',
    );
  });
});

describe('headers, query, token and fingerprint', () => {
  const url = 'wss://host/';

  it('are stored by name', () => {
    const parsed = parseEndpoint({
      url,
      token: 'abc',
      headers: ['X-One: 1', 'X-Two :a: b '],
      query: ['model=a=b', 'empty='],
      fingerprint: `sha256 Fingerprint=${'ab:'.repeat(31)}ab`,
      insecure: true,
    });
    expect(parsed).toEqual({
      ok: true,
      value: {
        url: 'wss://host/v1/realtime',
        token: 'abc',
        headers: { 'X-One': '1', 'X-Two': 'a: b' },
        query: { model: 'a=b', empty: '' },
        fingerprint: `${'AB:'.repeat(31)}AB`,
        insecure: true,
      },
    });
  });

  it.each(['', 'sha256 Fingerprint=', 'SHA-256: ', 'sha256=', ' '])(
    'have a fingerprint that may begin with %j',
    (begin) => {
      const parsed = parseEndpoint({ url, fingerprint: `${begin}${'AB'.repeat(32)} ` });
      expect(parsed.ok && parsed.value).toMatchObject({
        fingerprint: `${'AB:'.repeat(31)}AB`,
        insecure: false,
      });
    },
  );

  it.each<[Partial<EndpointText>, string]>([
    [{ headers: ['no colon'] }, 'A header is written as “Name: value”.'],
    [{ headers: [': x'] }, 'A header is written as “Name: value”.'],
    [{ headers: ['Upgrade: x'] }, 'The header Upgrade belongs to the connection itself.'],
    [{ headers: ['X: a\nb'] }, 'The header X has characters that are not allowed in headers.'],
    [{ query: ['model'] }, 'A query field is written as “name=value”.'],
    [
      { query: ['mode=chat'] },
      'The query field “mode” cannot be set, because Parley sets it itself.',
    ],
    [{ token: '' }, 'The access token is empty or has characters that are not allowed.'],
    [
      { token: 'a'.repeat(8001) },
      'The access token is empty or has characters that are not allowed.',
    ],
    [{ token: 'a b' }, 'The access token is empty or has characters that are not allowed.'],
    [
      { token: 'a', headers: ['authorization: b'] },
      'Give either the access token or an Authorization header, not both.',
    ],
    ...['AB:CD', `0${'ab'.repeat(32)}`, `${'ab'.repeat(32)}0`, 'xy'.repeat(32)].map(
      (fingerprint): [Partial<EndpointText>, string] => [
        { fingerprint },
        'A fingerprint is the SHA-256 of a certificate: 64 hexadecimal digits.',
      ],
    ),
    [
      { url: 'ws://host', fingerprint: 'ab'.repeat(32) },
      'A fingerprint is for the certificate of wss:// or https://: this address has none.',
    ],
  ])('are refused: %j', (given, problem) => {
    expect(problemOf({ url, ...given })).toBe(problem);
  });
});

describe('overlong input', () => {
  const long = 50_000;

  it('is truncated in error messages', () => {
    for (const url of ['x', 'x://y', 'ws://u@', 'ws:// '].map((begin) => begin + 'y'.repeat(long)))
      expect(problemOf({ url }).length).toBeLessThan(500);
    const headers = [`Sec-WebSocket-${'y'.repeat(long)}: x`];
    expect(problemOf({ url: 'ws://host', headers }).length).toBeLessThan(500);
  });

  it('takes linear time even with spaces in a header', async () => {
    const letters = await cpuTime(() =>
      parseEndpoint({ url: 'ws://host', headers: ['y'.repeat(long)] }),
    );
    const spaces = await cpuTime(() =>
      parseEndpoint({ url: 'ws://host', headers: [' '.repeat(long), `X: ${' '.repeat(long)}y`] }),
    );
    // A backtracking pattern takes a thousand times as long.
    expect(spaces / Math.max(1, letters)).toBeLessThan(100);
  });
});

function secrets(text: Omit<Parameters<typeof parseEndpoint>[0], 'url'>): readonly string[] {
  const endpoint = parseEndpoint({ url: 'wss://example.com', ...text });
  if (!endpoint.ok) throw new Error(endpoint.error.code);
  return endpointSecrets(endpoint.value);
}

describe('the secrets of an endpoint', () => {
  it('are its token, its headers and its query fields, the longest first', () => {
    const query = ['key=k-123456', 'model=minicpm-o'];
    const found = secrets({ token: 'token-1', headers: ['X-Key: a-long-header'], query });
    expect(found).toEqual(['a-long-header', 'k-123456', 'token-1']);
  });

  it('include its query fields as encoded in the address of a request', () => {
    const key = "a/b+c= d!'()~*ü";
    const { search } = new URL(`?${String(new URLSearchParams({ key }))}`, 'wss://example.com');
    const found = secrets({ query: [`key=${key}`] });
    expect(redactSecrets(`no such page: /v1/realtime${search}`, found)).toBe(
      'no such page: /v1/realtime?key=•••',
    );
    expect(redactSecrets(`unknown key ${key}`, found)).toBe('unknown key •••');
  });

  it('include the query fields of its address, as written, as decoded and as sent', () => {
    const url =
      'wss://example.com/v1/realtime?model=minicpm-o&key=k%2D123456&bad=50%-off-key&q=a=b+c+d';
    const endpoint = parseEndpoint({ url });
    if (!endpoint.ok) throw new Error(endpoint.error.code);
    expect(endpointSecrets(endpoint.value)).toEqual([
      '50%25-off-key',
      '50%-off-key',
      'k%2D123456',
      'a%3Db+c+d',
      'k-123456',
      'a=b+c+d',
      'a=b c d',
    ]);
  });

  it('exclude short values that are common in text', () => {
    expect(secrets({ token: 'abc', query: ['v=1'] })).toEqual([]);
  });

  it('are redacted everywhere in a text, the longest secret first', () => {
    const found = secrets({ token: 'secret', headers: ['X-Key: secret-and-more'] });
    expect(redactSecrets('"secret-and-more", secret, secretly', found)).toBe('"•••", •••, •••ly');
  });
});
