import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createUpdateSource,
  type UpdateSource,
} from '../../electron/platform/updates/update-source.ts';
import type { UpdateOffer } from '../../shared/updates/update-feed.ts';
import { sampleFeed } from '../fakes/fake-updates.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { UpdateServer } from './update-server.ts';

const feedName = 'latest-linux.yml';
const name = 'Parley-0.2.0-linux-x64.tar.gz';
const timeouts = { idleMs: 300, windowMs: 400, minBytes: 1000, feedMs: 700 };
const content = randomBytes(300_000);
const neverAborted = new AbortController().signal;

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
      expect(Object.keys(headers).toSorted()).toEqual([
        'cache-control',
        'connection',
        'host',
        'user-agent',
      ]);
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
    [301, 'updateRedirected'],
    [302, 'updateRedirected'],
    [307, 'updateRedirected'],
    [404, 'updateServerRefuses'],
    [500, 'updateServerRefuses'],
  ])('is not read after the HTTP status %d', async (status, expected) => {
    server.answers.set(feedName, (_request, response) => {
      response.writeHead(status, { location: `${server.url.href}other.yml` }).end(sampleFeed());
    });
    server.files.set('other.yml', Buffer.from(sampleFeed()));
    expect(await code(described())).toBe(expected);
    expect(server.requests).toHaveLength(1);
  });

  it('is refused if it does not end', async () => {
    server.answers.set(feedName, (_request, response) => {
      response.writeHead(200);
      const more = (): boolean => response.write(Buffer.alloc(64 * 1024, 'x'));
      response.on('drain', more);
      while (more());
    });
    expect(await code(described())).toBe('updateFeedDamaged');
  });

  it('times out if the server is silent or trickles', async () => {
    server.answers.set(feedName, () => undefined);
    expect(await code(described())).toBe('updateServerSlow');
    let drip: NodeJS.Timeout | undefined;
    server.answers.set(feedName, (_request, response) => {
      response.writeHead(200);
      drip = setInterval(() => response.write('x'), 50);
    });
    expect(await code(described())).toBe('updateServerSlow');
    clearInterval(drip);
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
    [
      'more than it declared',
      content.length,
      Buffer.concat([content, content]),
      /Altered|CutShort/,
    ],
    ['more, without a declared length', undefined, Buffer.concat([content, content]), /Altered/],
    ['less, without a declared length', undefined, content.subarray(0, 1000), /CutShort/],
  ])(
    'is not accepted with other bytes if a server sends %s',
    async (_what, length, sent, expected) => {
      server.answers.set(name, (request) => {
        const head =
          length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`;
        const body = length === undefined ? `${sent.length.toString(16)}\r\n` : '';
        const { socket } = request;
        socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`);
        socket.write(sent);
        if (length === undefined) socket.write('\r\n0\r\n\r\n');
        socket.end();
      });
      const outcome = await fetched();
      // Data beyond the declared length is not read at all.
      if (length === undefined) expect(outcome.ok || outcome.error.code).toMatch(expected);
      else expect(outcome.ok ? readFileSync(outcome.value).equals(content) : true).toBe(true);
    },
  );

  it('is not fetched through a redirect', async () => {
    server.answers.set(name, (_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
    });
    expect(await code(fetched())).toBe('updateRedirected');
  });

  it('times out if it stops or trickles', async () => {
    server.answers.set(name, (_request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write('x');
    });
    expect(await code(fetched())).toBe('updateServerSlow');
    let drip: NodeJS.Timeout | undefined;
    server.answers.set(name, (_request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      drip = setInterval(() => response.write('x'), 50);
    });
    expect(await code(fetched())).toBe('updateServerSlow');
    clearInterval(drip);
  });

  it('is not read beyond its signed size', async () => {
    server.answers.set(name, (_request, response) => {
      response.writeHead(200);
      const more = (): boolean => response.write(content);
      response.on('drain', more);
      more();
    });
    expect(await code(fetched())).toBe('updateAltered');
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
