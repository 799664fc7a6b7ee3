import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createUpdateSource,
  type UpdateSource,
} from '../../electron/platform/updates/update-source.ts';
import type { UpdateOffer } from '../../shared/updates/update-feed.ts';
import { sampleFeed } from '../fakes/fake-updates.ts';
import { httpProxy, type SmallProxy, socksProxy } from '../fakes/proxies.ts';
import { selfSigned } from '../fakes/self-signed.ts';
import { mountSmallDisk, workFolder } from '../fakes/work-folder.ts';
import { UpdateServer } from './update-server.ts';

const feedName = 'latest-linux.yml';
const name = 'Parley-0.2.0-linux-x64.tar.gz';
const timeouts = { idleMs: 300, windowMs: 400, minBytes: 1000, feedMs: 700 };
const content = randomBytes(300_000);
const neverAborted = new AbortController().signal;

const plainHeaders = ['cache-control', 'connection', 'host', 'user-agent'];

let server: UpdateServer;
let folder: string;
let source: UpdateSource;
let offer: UpdateOffer;

beforeEach(async () => {
  server = new UpdateServer();
  await server.open();
  server.files.set(name, content);
  server.putFeed(sampleFeed());
  folder = workFolder()('a “folder” of 更新');
  source = createUpdateSource(
    { feed: server.url, key: server.key },
    { folder, feedName, timeouts },
  );
  const sha512 = createHash('sha512').update(content).digest('base64');
  offer = { version: '0.2.0', notes: {}, file: { name, sha512, size: content.length } };
});

afterEach(() => server.close());

const described = () => source.describe(neverAborted);
const fetched = () => source.fetch(offer, () => undefined, neverAborted);
const code = async (outcome: Promise<{ ok: boolean; error?: { code: string } }>) =>
  (await outcome).error?.code;

describe('the feed', () => {
  it('is read if it is signed, and its request has no identifying data', async () => {
    expect(await described()).toEqual({ ok: true, value: sampleFeed() });
    for (const { headers } of server.requests) {
      expect(Object.keys(headers).toSorted()).toEqual(plainHeaders);
      expect(headers['user-agent']).toBe('Parley');
    }
  });

  it.each([
    ['no signature', () => server.files.delete(`${feedName}.sig`)],
    ['an empty signature', () => server.files.set(`${feedName}.sig`, Buffer.alloc(0))],
    [
      'a signature by another key',
      () => server.putFeed(sampleFeed(), generateKeyPairSync('ed25519').privateKey),
    ],
    [
      'one letter changed',
      () => server.files.set(feedName, Buffer.from(sampleFeed({ version: '0.2.1' }))),
    ],
    ['a byte added', () => server.files.set(feedName, Buffer.from(`${sampleFeed()}\n`))],
  ])('is refused with %s', async (_what, change) => {
    change();
    expect(await code(described())).toBe('updateUnsigned');
  });

  it.each([
    [302, 'updateRedirected'],
    [404, 'updateServerRefuses'],
  ])('is not read after the HTTP status %d', async (status, expected) => {
    for (const path of [feedName, name])
      server.answers.set(path, (_request, response) => {
        response.writeHead(status, { location: `${server.url.href}other.yml` }).end(sampleFeed());
      });
    server.files.set('other.yml', Buffer.from(sampleFeed()));
    expect([await code(described()), await code(fetched())]).toEqual([expected, expected]);
    expect(server.requests).toHaveLength(2);
  });
});

describe('the file of a version', () => {
  it('is downloaded once, with progress', async () => {
    const parts: number[] = [];
    const outcome = await source.fetch(offer, (part) => parts.push(part), neverAborted);
    expect(outcome).toEqual({ ok: true, value: join(folder, name) });
    expect(readFileSync(join(folder, name)).equals(content)).toBe(true);
    expect(parts.at(-1)).toBe(1);
    expect(parts).toEqual(parts.toSorted((one, other) => one - other));
    const requestCount = server.requests.length;
    expect((await fetched()).ok).toBe(true);
    expect(server.requests).toHaveLength(requestCount);
  });

  it('is resumed after an interruption', async () => {
    server.answers.set(name, (_request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 100_000), () => response.destroy());
    });
    expect(await code(fetched())).toBe('updateCutShort');
    const kept = readFileSync(join(folder, `${name}.part`)).length;
    expect(kept).toBeGreaterThan(0);
    server.answers.clear();
    expect((await fetched()).ok).toBe(true);
    expect(server.requests.at(-1)?.headers.range).toBe(`bytes=${kept}-`);
    expect(readFileSync(join(folder, name)).equals(content)).toBe(true);
  });

  it.each([
    ['from another file', Buffer.alloc(1000, 'x')],
    ['too long', Buffer.alloc(content.length + 1)],
    ['altered but as long as the file', Buffer.alloc(content.length)],
  ])('is downloaded again if the stored part is %s', async (_what, part) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.part`), part);
    expect((await fetched()).ok).toBe(true);
    expect(readFileSync(join(folder, name)).equals(content)).toBe(true);
  });

  it('is downloaded from the beginning if the server ignores the range', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.part`), content.subarray(0, 1000));
    server.answers.set(name, (_request, response) => response.end(content));
    expect((await fetched()).ok).toBe(true);
    expect(readFileSync(join(folder, name)).equals(content)).toBe(true);
  });

  it.each([
    ['altered', Buffer.alloc(content.length), 'updateAltered'],
    ['shorter', content.subarray(1), 'updateCutShort'],
    ['longer', Buffer.concat([content, Buffer.from('x')]), 'updateAltered'],
    ['empty', Buffer.alloc(0), 'updateCutShort'],
  ])('is refused if it is %s', async (_what, other, expected) => {
    server.files.set(name, other);
    expect(await code(fetched())).toBe(expected);
    expect(existsSync(join(folder, name))).toBe(false);
  });

  it.each([
    ['more', Buffer.concat([content, content]), 'updateAltered'],
    ['less', content.subarray(0, 1000), 'updateCutShort'],
  ])('is refused if the server declares no length and sends %s', async (_what, sent, expected) => {
    server.answers.set(name, (_request, response) => {
      response.write(sent);
      response.end();
    });
    expect(await code(fetched())).toBe(expected);
  });

  it('can be stopped, and keeps the received part', async () => {
    server.answers.set(name, (_request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 50_000));
    });
    const control = new AbortController();
    const stop = (): void => {
      control.abort();
    };
    expect((await source.fetch(offer, stop, control.signal)).ok).toBe(false);
    expect(readdirSync(folder)).toEqual([`${name}.part`]);
  });

  it('replaces older downloads', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'Parley-0.1.5-linux-x64.tar.gz.part'), 'x');
    expect((await fetched()).ok).toBe(true);
    expect(readdirSync(folder)).toEqual([name]);
    await source.clear();
    expect(existsSync(folder)).toBe(false);
  });
});

/** Sends the beginning of a file, and then bytes as fast or slow as given. */
const slow = (pieceMs?: number) => (_request: unknown, response: ServerResponse) => {
  response.writeHead(200, { 'content-length': content.length }).write('x');
  if (pieceMs === undefined) return;
  const drip = setInterval(() => response.write('x'), pieceMs);
  response.on('close', () => clearInterval(drip));
};

const endless = (_request: unknown, response: ServerResponse) => {
  response.writeHead(200);
  const more = (): boolean => response.write(content);
  response.on('drain', more);
  more();
};

describe.each([
  ['feed', feedName, 'updateFeedDamaged', described],
  ['file', name, 'updateAltered', fetched],
])('a %s', (_what, path, tooLong, load) => {
  it.each([
    ['is silent', () => undefined],
    ['stops', slow()],
    ['trickles', slow(50)],
  ])('times out if the server %s', async (_how, answer) => {
    server.answers.set(path, answer);
    expect(await code(load())).toBe('updateServerSlow');
  });

  it('is refused if the server sends it without an end', async () => {
    server.answers.set(path, endless);
    expect(await code(load())).toBe(tooLong);
  });
});

describe('an update through a proxy', () => {
  const login = { name: 'ann', password: 'hush-hush' };
  const open: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    await Promise.all(open.splice(0).map((close) => close()));
  });

  async function openProxy(proxy: Promise<SmallProxy>): Promise<SmallProxy> {
    open.push((await proxy).end);
    return proxy;
  }

  /** An update source behind a proxy, with a server name that only the proxy resolves. */
  const sourceBy = (
    { port }: SmallProxy,
    route: { readonly scheme: 'http' | 'socks5'; readonly login?: typeof login },
    feed = new URL(`http://updates.test:${server.url.port}/feed/`),
    limits: object = { timeouts },
  ) =>
    createUpdateSource(
      { feed, key: server.key },
      {
        folder,
        feedName,
        ...limits,
        proxies: {
          routesTo: () =>
            Promise.resolve({ ok: true, value: [{ host: '127.0.0.1', port, ...route }] }),
        },
      },
    );

  it('arrives, and the server does not see the password', async () => {
    const proxy = await openProxy(httpProxy({ login }));
    // Uses the product's timeouts, because a busy machine may need longer than the short ones of these tests.
    source = sourceBy(proxy, { scheme: 'http', login }, undefined, {});
    expect(await described()).toEqual({ ok: true, value: sampleFeed() });
    expect(await fetched()).toMatchObject({ ok: true });
    expect(new Set(proxy.targets)).toEqual(new Set([`updates.test:${server.url.port}`]));
    for (const { headers } of server.requests)
      expect(Object.keys(headers).toSorted()).toEqual(plainHeaders);
  });

  it.each([
    ['http', httpProxy],
    ['socks5', socksProxy],
  ] as const)(
    'may take longer than the idle timeout if it is steady: %s',
    async (scheme, start) => {
      server.answers.set(name, (_request, response) => {
        response.writeHead(200, { 'content-length': content.length });
        const pieces = [0, 1, 2, 3].map((at) => content.subarray(at * 75_000, (at + 1) * 75_000));
        const timer = setInterval(() => {
          const piece = pieces.shift();
          if (piece !== undefined) response.write(piece);
          else {
            clearInterval(timer);
            response.end();
          }
        }, 150);
      });
      source = sourceBy(await openProxy(start()), { scheme });
      expect(await fetched()).toMatchObject({ ok: true });
    },
  );

  it('is verified by the requested name inside the tunnel', async ({ skip }) => {
    // Newer Node versions read the system’s certificates at startup.
    if (typeof Reflect.get(tls, 'getCACertificates') === 'function')
      skip('this Node reads certificates only at its start');
    const [right, other] = [selfSigned('updates.test'), selfSigned()];
    const path = workFolder()('ca.pem');
    writeFileSync(path, right.cert + other.cert);
    vi.stubEnv('NODE_EXTRA_CA_CERTS', path);
    const proxy = await openProxy(httpProxy());
    const outcomes = [];
    for (const certificate of [right, other]) {
      const requests: string[] = [];
      const secure = createServer(certificate, (request, response) => {
        requests.push(request.url ?? '');
        response.end();
      });
      secure.on('tlsClientError', () => undefined);
      await once(secure.listen(0, '127.0.0.1'), 'listening');
      open.push(() => {
        secure.closeAllConnections();
        return new Promise((resolve) => secure.close(resolve));
      });
      const { port } = secure.address() as AddressInfo;
      const feed = new URL(`https://updates.test:${port}/feed/`);
      // Uses the product's timeouts, because reading the certificates may take longer than the short ones of these tests.
      source = sourceBy(proxy, { scheme: 'http' }, feed, {});
      outcomes.push([await code(described()), requests.length]);
      expect(proxy.targets).toContain(feed.host);
    }
    // An unsigned feed proves that the request reached the server.
    expect(outcomes).toEqual([
      ['updateUnsigned', 2],
      ['updateServerAway', 0],
    ]);
  });
});

it('a download on a full disk fails and leaves no file', async (context) => {
  const work = workFolder();
  mountSmallDisk(work('disk'), context);
  const large = randomBytes(2 * 1024 * 1024);
  const sha512 = createHash('sha512').update(large).digest('base64');
  server.files.set(name, large);
  const place = { folder: work('disk/updates'), feedName };
  source = createUpdateSource({ feed: server.url, key: server.key }, place);
  offer = { ...offer, file: { name, sha512, size: large.length } };
  expect(await code(fetched())).toBe('diskFull');
  expect(readdirSync(place.folder)).toEqual([]);
});
