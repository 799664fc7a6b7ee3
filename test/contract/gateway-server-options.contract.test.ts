import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { logGatewayFrames } from '../../electron/gateway/gateway.ts';
import { serveGateway } from '../../electron/platform/gateway/gateway-server.ts';
import { makeOwnCertificate } from '../../electron/platform/gateway/own-certificate.ts';
import { openSessionLogs } from '../../electron/platform/gateway/session-log.ts';
import { systemClock, systemWallClock } from '../../electron/platform/system/system-clock.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { spokenTo } from '../unit/electron/gateway/gateway-client.ts';
import { GatewayClient, gatewayHarness, httpUrl } from './gateway-harness.ts';

const { makeGateway, serve } = gatewayHarness();
const log = new FakeLog();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-gateway-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('the gateway’s certificate', () => {
  it.each(['127.0.0.1', 'localhost', '::1'])(
    'serves wss for %s to clients that trust it',
    async (host) => {
      const own = makeOwnCertificate('192.0.2.7', systemWallClock());
      const served = unwrap(
        await serveGateway(makeGateway(), { host: '::', port: 0, tls: own, log }),
      );
      const { port } = new URL(served.url);
      expect(served.url).toMatch(/^wss:/);
      const name = host.includes(':') ? `[${host}]` : host;
      const url = `wss://${name}:${port}/v1/realtime?mode=audio`;
      const client = new GatewayClient(url, 'unified', { ca: own.cert });
      const [response] = (await once(client.socket, 'upgrade')) as [IncomingMessage];
      const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate();
      expect(fingerprint256).toBe(own.fingerprint);
      await client.received('admitted');
      const untrusting = new GatewayClient(url);
      const [error] = (await once(untrusting.socket, 'error')) as [Error & { code?: string }];
      expect(error.code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
      await served.end();
    },
  );

  it('differs with every start', () => {
    const [one, other] = [makeOwnCertificate('a', 0), makeOwnCertificate('a', 0)];
    expect(one.fingerprint).not.toBe(other.fingerprint);
    expect(one.key).not.toBe(other.key);
  });
});

it('a gateway that listens on all addresses accepts any IP address as host, and no name', async () => {
  const served = unwrap(await serveGateway(makeGateway(), { host: '0.0.0.0', port: 0, log }));
  const url = served.url.replace('0.0.0.0', '127.0.0.1');
  expect(await get(url, { host: '192.0.2.7:8006' })).toMatch(/^200/);
  for (const host of ['evil.example', '192.0.2.7.evil.example'])
    expect(await get(url, { host })).toMatch(/^403/);
  await served.end();
});

describe('a gateway that records its sessions', () => {
  it('writes every frame of a session into a private file', async () => {
    const logs = unwrap(await openSessionLogs(join(folder, 'new', 'sessions'), new Date(0), log));
    const gateway = logGatewayFrames(makeGateway(), systemClock, logs);
    const served = unwrap(await serveGateway(gateway, { port: 0, log }));
    const client = await GatewayClient.live(`${served.url}?mode=audio`);
    client.send({ kind: 'append', audio: spokenTo, inputId: 'a-1' });
    await client.received('output', 2);
    client.send({ kind: 'close', reason: 'user_stop' });
    await client.ended;
    await served.end();
    const file = join(folder, 'new', 'sessions', '1970-01-01T00-00-00-000Z-1.ndjson');
    expect(await readdir(join(folder, 'new', 'sessions'))).toHaveLength(1);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect.poll(async () => readFile(file, 'utf8')).toMatch(/"event":"disconnected"\}\n$/);
    const lines = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const frames = lines.map(({ event, from, text }) => {
      if (typeof text !== 'string') return event;
      const { type, kind } = JSON.parse(text) as Record<string, unknown>;
      return [from, type, ...(kind === undefined ? [] : [kind])].join(' ');
    });
    expect(frames).toEqual([
      'connected',
      'gateway session.queue_done',
      'client session.init',
      'gateway session.created',
      'client input.append',
      'gateway response.output.delta text',
      'gateway response.output.delta audio',
      'client session.close',
      'gateway session.closed',
      'closing',
      'disconnected',
    ]);
  });

  it('reports a folder where it cannot record', async () => {
    const path = join(folder, 'file');
    await writeFile(path, '');
    expect(await openSessionLogs(path, new Date(0), log)).toMatchObject({
      ok: false,
      error: { code: 'notFolder' },
    });
  });

  it('continues if a file cannot be written, and logs it', async () => {
    const target = join(folder, 'taken');
    const logs = unwrap(await openSessionLogs(target, new Date(0), log));
    await writeFile(join(target, '1970-01-01T00-00-00-000Z-1.ndjson'), 'mine');
    const gateway = logGatewayFrames(makeGateway(), systemClock, logs);
    const served = unwrap(await serveGateway(gateway, { port: 0, log }));
    const client = new GatewayClient(`${served.url}?mode=audio`);
    await client.received('admitted');
    await expect
      .poll(() => log.lines.join())
      .toMatch(/recording of an embedded gateway session stopped: EEXIST/);
    await client.configure();
    await served.end();
    expect(await readFile(join(target, '1970-01-01T00-00-00-000Z-1.ndjson'), 'utf8')).toBe('mine');
  });
});

/** Returns `open`, or the status and body of the refusal. */
async function connect(url: string, headers: Record<string, string>): Promise<string> {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.on('unexpected-response', (_request, response) => {
      void text(response).then((body) => resolve(`${response.statusCode} ${body}`));
    });
  });
}

/** Returns the status and body of /health. */
async function get(url: string, headers: Record<string, string>): Promise<string> {
  const sent = request(httpUrl(url, '/health'), { headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return `${response.statusCode} ${await text(response)}`;
}

const foreignHost = '403 The gateway answers only under the address it listens at.';
const noPages = '403 The gateway answers no web pages: start it with --allow-origin to allow one.';

describe('a client of the gateway', () => {
  it.each(['127.0.0.1', 'localhost:9000', '[::1]:8006', 'LOCALHOST'])(
    'is accepted under %s',
    async (host) => {
      const url = await serve();
      expect(await connect(url, { host })).toBe('open');
      expect(await get(url, { host })).toBe('200 {"status":"ok"}\n');
    },
  );

  it.each(['evil.example', 'evil.example:8006', 'localhost.evil.example', '127.0.0.1.evil'])(
    'is refused under the foreign name "%s"',
    async (host) => {
      const url = await serve();
      expect(await connect(url, { host })).toBe(foreignHost);
      expect(await get(url, { host })).toBe(`${foreignHost}\n`);
    },
  );

  it.each(['https://evil.example', 'http://localhost:3000', 'http://127.0.0.1', 'null', 'file://'])(
    'is refused as a page of %s',
    async (origin) => {
      const url = await serve();
      expect(await connect(url, { origin })).toBe(noPages);
      expect(await get(url, { origin })).toBe(`${noPages}\n`);
    },
  );

  it('is accepted as an allowed page only', async () => {
    const url = await serve({}, { allowedOrigins: ['http://localhost:3000'] });
    expect(await connect(url, { origin: 'http://localhost:3000' })).toBe('open');
    expect(await connect(url, { origin: 'http://localhost:3001' })).toBe(noPages);
    expect(await connect(url, { origin: 'http://localhost:3000', host: 'evil.example' })).toBe(
      foreignHost,
    );
  });
});
