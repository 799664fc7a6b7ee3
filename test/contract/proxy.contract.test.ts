import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTunnel } from '../../electron/platform/net/proxy-tunnel.ts';
import {
  createProxyLookup,
  readEnvironmentProxy,
} from '../../electron/platform/net/system-network.ts';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { appError } from '../../shared/errors/app-error.ts';
import type { Proxies } from '../../shared/ports/sockets.ts';
import type { Endpoint } from '../../shared/settings/endpoint.ts';
import type { Proxy, ProxyRoute } from '../../shared/settings/proxy-address.ts';
import { httpProxy, type ProxyScript, type SmallProxy, socksProxy } from '../fakes/proxies.ts';
import {
  RecordingListener,
  type ScriptedServer,
  scriptedServer,
} from '../fakes/scripted-server.ts';
import { selfSigned } from '../fakes/self-signed.ts';

const certificate = selfSigned();
const login = { name: 'a person', password: 'hush: ünsaid%40' };
const wrong = { name: 'a person', password: 'another-secret' };
const token = 'secret-token-1234';

const opened: { readonly end: () => Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ end }) => end()));
});

async function endWithTest<One extends { readonly end: () => Promise<void> }>(
  opening: Promise<One>,
): Promise<One> {
  const one = await opening;
  opened.push(one);
  return one;
}

const serve = (tls?: typeof certificate): Promise<ScriptedServer> =>
  endWithTest(
    scriptedServer({
      tls,
      accepted: (socket) => {
        socket.on('message', (data: Buffer) => {
          socket.send(`heard ${data.toString()}`);
        });
      },
    }),
  );

const proxiesBy = (...routes: ProxyRoute[]): Proxies => ({
  routesTo: () => Promise.resolve({ ok: true, value: routes }),
});

const at = (scheme: Proxy['scheme'], port: number, credentials?: typeof login): Proxy => ({
  scheme,
  host: '127.0.0.1',
  port,
  login: credentials,
});

async function attempt(endpoint: Partial<Endpoint>, proxies: Proxies, handshakeMs = 5000) {
  const listener = new RecordingListener();
  const whole = { url: '', headers: {}, query: {}, insecure: false, token, ...endpoint };
  const socket = createWebSockets(whole, { handshakeMs }, proxies).connect('audio', listener);
  await listener.reached(1);
  if (listener.log[0] === '<opened>') {
    socket.send('hello');
    await listener.reached(2);
    socket.terminate();
  }
  return { log: listener.log, end: await listener.end() };
}

const kinds: readonly {
  readonly scheme: 'http' | 'socks5';
  readonly open: (script?: ProxyScript) => Promise<SmallProxy>;
}[] = [
  { scheme: 'http', open: (script) => endWithTest(httpProxy(script)) },
  { scheme: 'socks5', open: (script) => endWithTest(socksProxy(script)) },
];

describe.each(kinds)('a $scheme proxy', ({ scheme, open }) => {
  it.each([
    ['ws', undefined],
    ['wss', certificate],
  ] as const)(
    'reaches a %s server whose name only the proxy knows, after it got its password',
    async (kind, tls) => {
      const [server, proxy] = [await serve(tls), await open({ login })];
      const url = `${kind}://server.test:${server.port}/v1/realtime`;
      const { log } = await attempt(
        { url, fingerprint: tls?.fingerprint },
        proxiesBy(at(scheme, proxy.port, login)),
      );
      expect(log.slice(0, 2)).toEqual(['<opened>', 'heard hello']);
      expect(proxy.targets).toEqual([`server.test:${server.port}`]);
      expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
      expect(JSON.stringify(server.requests[0]?.headers)).not.toMatch(/proxy/u);
      // TLS is end to end, so the proxy sees nothing of a server with a certificate.
      expect(proxy.forwardedText().includes(token)).toBe(tls === undefined);
    },
  );

  it('reaches no server whose certificate is not the trusted one', async () => {
    const [server, proxy] = [await serve(certificate), await open()];
    const { fingerprint } = selfSigned();
    const url = `wss://server.test:${server.port}/`;
    const { end } = await attempt({ url, fingerprint }, proxiesBy(at(scheme, proxy.port)));
    expect(end).toMatchObject({
      kind: 'unreachable',
      permanent: true,
      untrustedCertificate: { fingerprint: certificate.fingerprint, fault: 'certificateChanged' },
    });
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['no password', undefined, 'proxyWantsLogin'],
    ['a wrong password', wrong, 'proxyRefusesLogin'],
  ] as const)(
    'is named in the error and not tried again if it gets %s',
    async (_what, credentials, code) => {
      const proxy = await open({ login });
      const { end } = await attempt(
        { url: 'ws://server.test:1/' },
        proxiesBy(at(scheme, proxy.port, credentials)),
      );
      const error = appError(code, { proxy: `127.0.0.1:${proxy.port}` });
      expect(end).toEqual({ kind: 'unreachable', error, permanent: true });
      for (const secret of [
        wrong.password,
        Buffer.from('a person:').toString('base64').slice(0, 9),
      ])
        expect(JSON.stringify(end)).not.toContain(secret);
    },
  );

  it('is named in the error if it is missing, and may be tried again', async () => {
    const { end } = await attempt({ url: 'ws://server.test:1/' }, proxiesBy(at(scheme, 1, login)));
    const error = appError('proxyAway', { proxy: '127.0.0.1:1' }, { detail: 'ECONNREFUSED' });
    expect(end).toEqual({ kind: 'unreachable', error });
  });

  it.each(
    scheme === 'http'
      ? [
          [403, true],
          [502, false],
        ]
      : [
          [2, true],
          [4, false],
        ],
  )('is named with the server if it refuses with %d; permanent: %s', async (refuses, permanent) => {
    const proxy = await open({ refuses });
    const { end } = await attempt(
      { url: 'ws://server.test:1/' },
      proxiesBy(at(scheme, proxy.port)),
    );
    const facts = { proxy: `127.0.0.1:${proxy.port}`, server: 'server.test:1', status: refuses };
    expect(end).toEqual({
      kind: 'unreachable',
      error: appError(permanent ? 'proxyForbids' : 'proxyReachesNothing', facts),
      ...(permanent && { permanent }),
    });
  });

  it('is reported as no proxy if another kind of server listens at its address', async () => {
    const other = await endWithTest(scheme === 'http' ? socksProxy() : httpProxy());
    const { end } = await attempt(
      { url: 'ws://server.test:1/' },
      proxiesBy(at(scheme, other.port)),
    );
    expect(end).toMatchObject({ error: { code: 'noProxyThere' }, permanent: true });
  });

  it('is not used for loopback addresses', async () => {
    const [server, proxy] = [await serve(), await open()];
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      const { log } = await attempt(
        { url: `ws://${host}:${server.port}/` },
        proxiesBy(at(scheme, proxy.port)),
      );
      expect(log[0], host).toBe('<opened>');
    }
    expect(proxy.targets).toEqual([]);
  });
});

describe('a proxy', () => {
  it('gets no password over TLS if its certificate is untrusted', async () => {
    const proxy = await endWithTest(httpProxy({ tls: certificate, login }));
    const { end } = await attempt(
      { url: 'wss://server.test:1/' },
      proxiesBy({ ...at('https', proxy.port, login), host: 'localhost' }),
    );
    expect(end).toMatchObject({ error: { code: 'proxyUntrusted' }, permanent: true });
    expect(proxy.targets).toEqual([]);
  });

  it('is skipped for the next proxy or a direct connection if it is not there', async () => {
    const [server, proxy] = [await serve(), await endWithTest(httpProxy())];
    const url = `ws://server.test:${server.port}/`;
    const { log } = await attempt({ url }, proxiesBy(at('http', 1), at('http', proxy.port)));
    expect(log[0]).toBe('<opened>');
    const { end } = await attempt({ url }, proxiesBy(at('http', 1), 'direct'));
    expect(end).toMatchObject({ error: { facts: { server: `server.test:${server.port}` } } });
  });

  it('is skipped after a timeout if it hangs', async () => {
    const [silent, proxy] = [
      await endWithTest(httpProxy({ silent: true })),
      await endWithTest(httpProxy()),
    ];
    const server = await serve();
    const order = {
      url: 'ws://server.test/',
      server: { host: 'server.test', port: server.port },
      signal: new AbortController().signal,
      patienceMs: 100,
    };
    const alone = openTunnel({ ...order, proxies: proxiesBy(at('http', silent.port)) });
    await expect(alone).rejects.toMatchObject({ error: { code: 'proxySlow' }, isPermanent: false });
    const both = proxiesBy(at('http', silent.port), at('http', proxy.port));
    const line = await openTunnel({ ...order, proxies: both });
    line?.destroy();
    expect(proxy.targets).toEqual([`server.test:${server.port}`]);
  });

  it('is not skipped if it wants a password', async () => {
    const proxy = await endWithTest(httpProxy({ login }));
    const { end } = await attempt(
      { url: 'ws://server.test:1/' },
      proxiesBy(at('http', proxy.port), 'direct'),
    );
    expect(end).toMatchObject({ error: { code: 'proxyWantsLogin' } });
  });

  it('is not waited for after the connection is given up', async () => {
    const proxy = await endWithTest(httpProxy({ silent: true }));
    const listener = new RecordingListener();
    const endpoint = { url: 'ws://server.test:1/', headers: {}, query: {}, insecure: false };
    const socket = createWebSockets(endpoint, {}, proxiesBy(at('http', proxy.port))).connect(
      'audio',
      listener,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.terminate();
    expect(await listener.end()).toEqual({
      kind: 'unreachable',
      error: appError('connectionGivenUp'),
    });
  });
});

const http = (host: string, port: number) => ({ scheme: 'http', host, port });

describe('the proxy variables of the environment', () => {
  beforeEach(() => {
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'])
      for (const each of [name, name.toLowerCase()]) vi.stubEnv(each, undefined);
  });

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
  ])('%j let a wss server be reached through %j', async (environment, route) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    expect(await readEnvironmentProxy('wss://server.example/v1/realtime')).toEqual([route]);
  });

  it('let a ws server be reached through HTTP_PROXY', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://a:1');
    expect(await readEnvironmentProxy('ws://server.example/')).toEqual([http('a', 1)]);
  });

  const ask = createProxyLookup(() => Promise.resolve([http('system', 1) as ProxyRoute]));

  it('leave the choice to the system if they name no proxy', async () => {
    vi.stubEnv('NO_PROXY', 'server.example');
    expect(await ask('wss://server.example/')).toEqual([http('system', 1)]);
  });

  it.runIf(process.platform === 'linux')('are used instead of the system’s on Linux', async () => {
    vi.stubEnv('ALL_PROXY', 'socks5://me:secret@a:1');
    const login = { name: 'me', password: 'secret' };
    expect(await ask('wss://server.example/')).toEqual([
      { scheme: 'socks5', host: 'a', port: 1, login },
    ]);
    vi.stubEnv('NO_PROXY', 'server.example');
    expect(await ask('wss://server.example/')).toEqual(['direct']);
  });
});
