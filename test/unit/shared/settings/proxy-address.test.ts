import { describe, expect, it } from 'vitest';
import {
  hostAndPort,
  isLoopbackHost,
  parsePacResult,
  parseProxy,
  parseProxySetting,
  proxyAddress,
} from '../../../../shared/settings/proxy-address.ts';

describe('a proxy address', () => {
  it.each([
    ['http://proxy.example:3128', 'http', 'proxy.example', 3128],
    [' HTTPS://Proxy.Example:443/ ', 'https', 'proxy.example', 443],
    ['socks5://10.0.0.1:1080', 'socks5', '10.0.0.1', 1080],
    ['socks5h://proxy:65535', 'socks5', 'proxy', 65_535],
    ['http://[2001:db8::1]:8080', 'http', '2001:db8::1', 8080],
  ] as const)('parses %s', (text, scheme, host, port) => {
    expect(parseProxy(text)).toEqual({ scheme, host, port });
    expect(parseProxySetting(text)).toEqual({ scheme, host, port });
  });

  it('is stored with its scheme and displayed without it', () => {
    const proxy = { scheme: 'http', host: '2001:db8::1', port: 8080 } as const;
    expect(proxyAddress(proxy)).toBe('http://[2001:db8::1]:8080');
    expect(hostAndPort(proxy)).toBe('[2001:db8::1]:8080');
  });

  it.each([
    ['http://ann:hush@proxy:1', 'ann', 'hush'],
    ['http://ann@proxy:1', 'ann', ''],
    ['http://a%40firm:p%3A%2F%23@proxy:1', 'a@firm', 'p:/#'],
    ['http://ann:p@ss/w:rd@proxy:1', 'ann', 'p@ss/w:rd'],
    ['http://ann:50%off@proxy:1', 'ann', '50%off'],
  ])('splits the login from %s', (text, name, password) => {
    const proxy = parseProxy(text);
    expect(proxy?.login).toEqual({ name, password });
    expect(proxy === undefined ? '' : proxyAddress(proxy)).toBe('http://proxy:1');
  });

  it.each(
    [
      ['', 'proxy.example', 'proxy:3128', 'ftp://proxy:1', 'http://:1', 'http://proxy:0'],
      [
        'http://proxy:65536',
        'http://proxy:1/path',
        'http://pro xy:1',
        'http://proxy:1?a',
        'ws://proxy:1',
      ],
    ].flat(),
  )('rejects %s', (text) => {
    expect(parseProxy(text)).toBeUndefined();
    expect(parseProxySetting(text)).toBeUndefined();
  });

  it('needs a port in the settings, and gets a default port in an environment variable', () => {
    expect(parseProxySetting('http://proxy')).toBeUndefined();
    expect(parseProxySetting('http://ann:1@proxy')).toBeUndefined();
    expect(parseProxySetting('socks4://proxy:1')).toBeUndefined();
    expect(parseProxy('http://proxy')).toMatchObject({ port: 80 });
    expect(parseProxy('socks5://proxy')).toMatchObject({ port: 1080 });
  });
});

const at = (scheme: string, host: string, port: number) => ({ scheme, host, port });

it.each([
  ['DIRECT', ['direct']],
  ['', ['direct']],
  ['NONSENSE a:1; PROXY ; PROXY a:99999', ['direct']],
  ['PROXY a:1', [at('http', 'a', 1)]],
  [
    'PROXY a:1; SOCKS5 b:2; HTTPS c:3; DIRECT',
    [at('http', 'a', 1), at('socks5', 'b', 2), at('https', 'c', 3), 'direct'],
  ],
  [
    ' proxy  a.example:8080 ;SOCKS [::1]:2',
    [at('http', 'a.example', 8080), at('socks4', '::1', 2)],
  ],
])('the PAC result %j gives the routes %j', (answer, routes) => {
  expect(parsePacResult(answer)).toEqual(routes);
});

it.each(
  [
    ['localhost', 'LOCALHOST', 'localhost.', 'parley.localhost', 'a.b.localhost'],
    ['127.0.0.1', '127.255.255.254', '::1', '[::1]', '0:0:0:0:0:0:0:1'],
    ['::ffff:127.0.0.1', '[::ffff:7f00:1]'],
  ].flat(),
)('%s is this machine and uses no proxy', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

it.each(
  [
    ['localhost.example', 'notlocalhost', 'xlocalhost', '128.0.0.1', '12.7.0.0', '1'],
    ['::2', '::11', '2001:db8::1', '::ffff:8f00:1', '127.0.0.1.example', '0.0.0.0'],
  ].flat(),
)('%s is a different machine', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
