import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  readEnvironmentProxy,
  createProxyLookup,
} from '../../electron/platform/net/system-network.ts';
import type { ProxyRoute } from '../../shared/settings/proxy-address.ts';

const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];

beforeEach(() => {
  for (const name of names) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const http = (host: string, port: number) => ({ scheme: 'http', host, port });

it.each([
  [{}, 'direct'],
  [{ HTTPS_PROXY: 'http://a:1' }, http('a', 1)],
  [{ https_proxy: 'http://a:1' }, http('a', 1)],
  [{ HTTP_PROXY: 'http://a:1' }, 'direct'],
  [{ ALL_PROXY: 'socks5://a:1' }, { scheme: 'socks5', host: 'a', port: 1 }],
  [{ HTTPS_PROXY: 'a:1' }, http('a', 1)],
  [{ HTTPS_PROXY: 'https://a:1' }, { scheme: 'https', host: 'a', port: 1 }],
  [
    { HTTPS_PROXY: 'http://me:secret@a:1' },
    { ...http('a', 1), login: { name: 'me', password: 'secret' } },
  ],
  [{ HTTPS_PROXY: 'http://a:1', NO_PROXY: 'server.example' }, 'direct'],
  [{ HTTPS_PROXY: 'http://a:1', no_proxy: 'x, .example' }, 'direct'],
  [{ HTTPS_PROXY: 'http://a:1', NO_PROXY: '*' }, 'direct'],
  [{ HTTPS_PROXY: 'http://a:1', NO_PROXY: 'server.example:444' }, http('a', 1)],
  [{ HTTPS_PROXY: 'nonsense://a:1' }, 'direct'],
])('the environment %j lets a wss server be reached through %j', async (environment, route) => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  expect(await readEnvironmentProxy('wss://server.example/v1/realtime')).toEqual([route]);
});

it('a ws server is reached through HTTP_PROXY', async () => {
  vi.stubEnv('HTTP_PROXY', 'http://a:1');
  expect(await readEnvironmentProxy('ws://server.example/')).toEqual([http('a', 1)]);
});

describe('a host that can ask its system', () => {
  const ask = createProxyLookup(() => Promise.resolve([http('system', 1) as ProxyRoute]));

  it('asks the system if the environment names no proxy', async () => {
    vi.stubEnv('NO_PROXY', 'server.example');
    expect(await ask('wss://server.example/')).toEqual([http('system', 1)]);
  });

  it.runIf(process.platform === 'linux')('reads the environment on Linux', async () => {
    vi.stubEnv('ALL_PROXY', 'socks5://me:secret@a:1');
    const login = { name: 'me', password: 'secret' };
    expect(await ask('wss://server.example/')).toEqual([
      { scheme: 'socks5', host: 'a', port: 1, login },
    ]);
    vi.stubEnv('NO_PROXY', 'server.example');
    expect(await ask('wss://server.example/')).toEqual(['direct']);
  });
});
