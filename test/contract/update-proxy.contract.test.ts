import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import * as tls from 'node:tls';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createUpdateSource } from '../../electron/platform/updates/update-source.ts';
import type { ProxyRoute } from '../../shared/settings/proxy-address.ts';
import { httpProxy, type SmallProxy, socksProxy } from '../fakes/proxies.ts';
import { sampleFeed } from '../fakes/fake-updates.ts';
import { selfSigned } from '../fakes/self-signed.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { UpdateServer } from './update-server.ts';

const login = { name: 'ann', password: 'hush-hush' };
const timeouts = { idleMs: 400, windowMs: 400, minBytes: 1000, feedMs: 2000 };
const content = randomBytes(200_000);
const neverAborted = new AbortController().signal;
const name = 'Parley-0.2.0-linux-x64.tar.gz';

let server: UpdateServer;
let proxy: SmallProxy;
const open: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  server = new UpdateServer();
  await server.open();
  server.putFeed(sampleFeed());
  server.files.set(name, content);
  proxy = await httpProxy({ login });
  open.push(() => server.close(), proxy.end);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((close) => close()));
});

/** An update source behind a proxy, with a server name that only the proxy resolves. */
function sourceBy(
  via: Partial<typeof login> & { port?: number; scheme?: 'http' | 'socks5' },
  feed?: URL,
) {
  const { port = proxy.port, scheme = 'http', name: who, password } = via;
  const route: ProxyRoute = {
    scheme,
    host: '127.0.0.1',
    port,
    ...(who !== undefined && password !== undefined && { login: { name: who, password } }),
  };
  return createUpdateSource(
    { feed: feed ?? new URL(`http://updates.test:${server.url.port}/feed/`), key: server.key },
    {
      folder: workFolder()('updates'),
      feedName: 'latest-linux.yml',
      timeouts,
      proxies: { routesTo: () => Promise.resolve({ ok: true, value: [route] }) },
    },
  );
}

it('feed and file arrive through a proxy whose password the server does not see', async () => {
  const source = sourceBy(login);
  expect(await source.describe(neverAborted)).toEqual({ ok: true, value: sampleFeed() });
  const sha512 = createHash('sha512').update(content).digest('base64');
  const offer = { version: '0.2.0', notes: {}, file: { name, sha512, size: content.length } };
  expect(await source.fetch(offer, () => undefined, neverAborted)).toMatchObject({ ok: true });
  expect(new Set(proxy.targets)).toEqual(new Set([`updates.test:${server.url.port}`]));
  for (const { headers } of server.requests) {
    expect(Object.keys(headers).toSorted()).toEqual([
      'cache-control',
      'connection',
      'host',
      'user-agent',
    ]);
  }
});

it.each([
  ['http', httpProxy],
  ['socks5', socksProxy],
] as const)(
  'a steady download through %s may take longer than the idle timeout',
  async (scheme, openProxy) => {
    const other = await openProxy();
    open.push(other.end);
    server.answers.set(name, (_request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      const pieces = [0, 1, 2, 3].map((at) => content.subarray(at * 50_000, (at + 1) * 50_000));
      const timer = setInterval(() => {
        const piece = pieces.shift();
        if (piece !== undefined) response.write(piece);
        else {
          clearInterval(timer);
          response.end();
        }
      }, 200);
    });
    const sha512 = createHash('sha512').update(content).digest('base64');
    const offer = { version: '0.2.0', notes: {}, file: { name, sha512, size: content.length } };
    const source = sourceBy({ scheme, port: other.port });
    expect(await source.fetch(offer, () => undefined, neverAborted)).toMatchObject({ ok: true });
  },
);

async function secureServer(certificate: ReturnType<typeof selfSigned>) {
  const requests: string[] = [];
  const secure = createServer(certificate, (request, response) => {
    requests.push(request.url ?? '');
    response.end();
  });
  secure.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => {
    secure.listen(0, '127.0.0.1', resolve);
  });
  open.push(() => {
    secure.closeAllConnections();
    return new Promise((resolve) => secure.close(resolve));
  });
  return { requests, port: (secure.address() as AddressInfo).port };
}

/** Newer Node versions read the system’s certificates at startup. */
const readsAtStart = typeof Reflect.get(tls, 'getCACertificates') === 'function';

it('the server’s certificate is verified inside the tunnel, by the requested name', async ({
  skip,
}) => {
  if (readsAtStart) skip('this Node reads certificates only at its start');
  const [right, other] = [selfSigned('updates.test'), selfSigned()];
  const path = workFolder()('ca.pem');
  writeFileSync(path, right.cert + other.cert);
  vi.stubEnv('NODE_EXTRA_CA_CERTS', path);
  const [server, stranger] = [await secureServer(right), await secureServer(other)];
  const feedAt = (port: number) => new URL(`https://updates.test:${port}/feed/`);
  // An unsigned feed proves that the request reached the server.
  expect(await sourceBy(login, feedAt(server.port)).describe(neverAborted)).toMatchObject({
    error: { code: 'updateUnsigned' },
  });
  expect(server.requests).toEqual(['/feed/latest-linux.yml', '/feed/latest-linux.yml.sig']);
  expect(await sourceBy(login, feedAt(stranger.port)).describe(neverAborted)).toMatchObject({
    error: { code: 'updateServerAway' },
  });
  expect(stranger.requests).toEqual([]);
  expect(proxy.targets).toContain(`updates.test:${stranger.port}`);
});
