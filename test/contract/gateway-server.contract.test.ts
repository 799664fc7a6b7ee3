import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect as connectRaw } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { logGatewayFrames } from '../../electron/gateway/gateway.ts';
import { serveGateway } from '../../electron/platform/gateway/gateway-server.ts';
import { makeOwnCertificate } from '../../electron/platform/gateway/own-certificate.ts';
import { openSessionLogs } from '../../electron/platform/gateway/session-log.ts';
import { systemClock, systemWallClock } from '../../electron/platform/system/system-clock.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { fakeJpeg } from '../fakes/fake-pictures.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { spokenTo } from '../unit/electron/gateway/gateway-client.ts';
import {
  GatewayClient,
  gatewayHarness,
  gatewayKinds,
  httpUrl,
  refusalOf,
} from './gateway-harness.ts';

const { makeGateway, serve, speech, takeServer } = gatewayHarness();

describe.each(gatewayKinds)(
  'a $profile $dialect gateway on a real socket',
  ({ profile, dialect }) => {
    const dropsSilently = profile === 'deployed' && dialect === 'legacy';
    /** Deployed legacy gateways never send a close frame. */
    const endCode = (code: number): number => (dropsSilently ? 1006 : code);

    it('serves a client from the queue through an answer to the confirmed end', async () => {
      const url = await serve({ profile, dialect, workers: 1 });
      const client = new GatewayClient(`${url}?mode=video`, dialect);
      await client.received('admitted');
      const second = new GatewayClient(`${url}?mode=audio`, dialect);
      expect(await second.received('queued')).toMatchObject({
        stage: 'joined',
        position: 1,
        length: 1,
      });
      client.send({ kind: 'configure', settings: { instructions: 'Be brief.' } });
      expect((await client.received('created')).sessionId).toMatch(/^(sess|rt)_/);
      client.send({ kind: 'append', inputId: 'in 1', audio: spokenTo, frames: [fakeJpeg] });
      const output = await client.received('output');
      expect(output.text).toBe('Hello, I am');
      let samples = 0;
      for (let step = 2; client.kinds.filter((kind) => kind === 'listen').length < 2; step += 1) {
        client.send({ kind: 'append', inputId: `in ${step}`, audio: new Float32Array(16_000) });
        await client.next();
      }
      const listen = await client.received('listen', 2);
      const text = client.events.map((event) => (event.kind === 'output' && event.text) || '');
      expect(text.join('')).toMatch(
        /^Hello, I am the demonstration that lives inside Parley\. I can/,
      );
      for (const event of client.events) {
        if (event.kind === 'output') samples += event.audio?.length ?? 0;
      }
      const spoken = speech().clips.filter(({ id }) => id === 'hello' || id === 'see');
      expect(samples).toBe(spoken.reduce((sum, { audio }) => sum + audio.length, 4800));
      expect(listen.metrics?.contextTokens).toBeGreaterThan(100);
      const echoes = profile === 'deployed' && dialect === 'unified';
      expect(output.inputId).toBe(echoes ? 'in 1' : undefined);
      expect(output.serverTime !== undefined).toBe(echoes);
      client.send({ kind: 'close', reason: 'user_stop' });
      const closed = await client.received('closed');
      expect(closed.reason).toBe(dialect === 'legacy' ? 'stopped' : 'user_stop');
      expect((await client.ended).code).toBe(endCode(1000));
      await second.received('admitted');
      expect(
        client.events.filter(({ kind }) => kind === 'unknown' || kind === 'malformed'),
      ).toEqual([]);
    });

    it('handles an append without sound or with invalid sound as its profile does', async () => {
      const url = await serve({ profile, dialect });
      const type = dialect === 'unified' ? 'input.append' : 'input_audio_buffer.append';
      const wrap = (payload: object): string =>
        JSON.stringify(dialect === 'unified' ? { type, input: payload } : { type, ...payload });
      for (const [payload, code] of [
        [{}, 'missing_field'],
        [{ audio: '@@@' }, 'invalid_payload'],
      ] as const) {
        const client = await GatewayClient.live(`${url}?mode=audio`, dialect);
        client.socket.send(wrap(payload));
        if (profile === 'documented') expect((await client.received('error')).code).toBe(code);
        else if (dropsSilently && code === 'invalid_payload')
          expect((await client.ended).code).toBe(1006);
        else if (dropsSilently)
          expect((await client.received('error')).code).toBe('inference_failed');
        else expect((await client.received('closed')).reason).toBe('backend_error');
        client.socket.terminate();
      }
    });
  },
);

describe('the server around the gateway', () => {
  it('reports its health and its address', async () => {
    const url = await serve();
    const health = await fetch(httpUrl(url, '/health'));
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    expect((await fetch(httpUrl(url, '/'))).status).toBe(404);
    expect((await fetch(httpUrl(url, ''))).status).toBe(426);
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/v1\/realtime$/);
  });

  it('refuses other paths and unknown modes, and follows a scripted refusal, each with a status and a body', async () => {
    const faults = [{ kind: 'refuse', status: 502, body: 'no worker', session: 2 }] as const;
    const url = await serve({ faults });
    expect(await refusalOf(url.replace('/v1/realtime', '/v2'))).toMatchObject({ status: 403 });
    expect(await refusalOf(`${url}?mode=nonsense`)).toEqual({ status: 403, body: 'Forbidden' });
    expect(await refusalOf(`${url}?mode=audio`)).toEqual({ status: 502, body: 'no worker' });
    const client = new GatewayClient(url);
    await client.received('admitted');
  });

  it('repeats a reason outside of ASCII up to the length that a close frame holds', async () => {
    const client = await GatewayClient.live(`${await serve()}?mode=audio`);
    const reason = '我要说的话已经说完了，'.repeat(10);
    client.send({ kind: 'close', reason });
    expect((await client.received('closed')).reason).toBe(reason);
    expect(await client.ended).toEqual({ code: 1000, reason: reason.slice(0, 41) });
  });

  it('reports a port in use with a message', async () => {
    const port = Number(new URL(await serve()).port);
    const served = await serveGateway(makeGateway(), { port, log: new FakeLog() });
    expect(served).toMatchObject({ ok: false });
    expect(served.ok || describeAppError(served.error)).toBe(
      `Port ${port} on 127.0.0.1 is in use. Choose another port, or 0 for any free one.`,
    );
    const nowhere = { host: '192.0.2.1', port: 0, log: new FakeLog() };
    const otherServer = await serveGateway(makeGateway(), nowhere);
    expect(otherServer.ok || describeAppError(otherServer.error)).toMatch(
      /no address 192\.0\.2\.1/,
    );
  });

  it('pings, and disconnects clients that do not answer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const url = await serve();
    const silent = new GatewayClient(url, 'unified', { autoPong: false });
    const answering = new GatewayClient(url);
    await Promise.all([silent.received('admitted'), answering.received('admitted')]);
    const ping = once(answering.socket, 'ping');
    vi.advanceTimersByTime(20_000);
    await ping;
    // The gateway gets this client's pong before this message.
    await answering.configure();
    expect(silent.socket.readyState).toBe(silent.socket.OPEN);
    vi.advanceTimersByTime(20_000);
    expect((await silent.ended).code).toBe(1006);
    expect(answering.socket.readyState).toBe(answering.socket.OPEN);
  });

  it('survives non-WebSocket traffic, and logs a broken connection', async () => {
    const log = new FakeLog();
    const url = await serve({}, { log });
    const { port } = new URL(url);
    const raw = connectRaw(Number(port), '127.0.0.1');
    raw.end('this is not HTTP\r\n\r\n');
    raw.resume();
    await once(raw, 'close');
    const client = new GatewayClient(url);
    await client.received('admitted');
    // A reserved bit without a negotiated extension.
    (client.socket as unknown as { _socket: NodeJS.WritableStream })._socket.write(
      Buffer.from([0xb1, 0x80, 0, 0, 0, 0]),
    );
    await client.ended;
    expect(log.lines.join()).toMatch(/connection to the gateway failed/);
    const next = new GatewayClient(url);
    await next.received('admitted');
  });

  it('ends although a client stops reading, and still sends that client the reason', async () => {
    const url = await serve();
    const client = new GatewayClient(url);
    await client.received('admitted');
    client.socket.pause();
    const server = takeServer();
    const began = systemClock.now();
    await server?.end();
    expect(systemClock.now() - began).toBeLessThan(10_000);
    client.socket.resume();
    expect((await client.received('closed')).reason).toBe('server_shutdown');
  });

  it('ends although a refused client keeps its side of the connection open', async () => {
    const { port } = new URL(await serve());
    const raw = connectRaw({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket';
    raw.write(`GET /v2 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${upgrade}\r\n\r\n`);
    const [answer] = (await once(raw, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 403/);
    await takeServer()?.end();
    raw.destroy();
  });
});

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
      // The key is new with every start.
      expect(makeOwnCertificate('192.0.2.7', systemWallClock()).key).not.toBe(own.key);
    },
  );
});

it('a gateway that listens on all addresses accepts any IP address as host, and no name', async () => {
  const served = unwrap(await serveGateway(makeGateway(), { host: '0.0.0.0', port: 0, log }));
  const url = served.url.replace('0.0.0.0', '127.0.0.1');
  expect(await get(url, { host: '192.0.2.7:8006' })).toMatch(/^200/);
  for (const host of ['evil.example', '192.0.2.7.evil.example'])
    expect(await get(url, { host })).toMatch(/^403/);
  await served.end();
});

it('a gateway that listens on an IPv6 address accepts it as host, however it is written', async () => {
  const host = '0:0:0:0:0:ffff:127.0.0.1';
  const served = unwrap(await serveGateway(makeGateway(), { host, port: 0, log }));
  expect(await get(served.url, {})).toMatch(/^200/);
  expect(await get(served.url, { host: '[fd00::1]:8006' })).toMatch(/^403/);
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
      .toMatch(/recording of a gateway session stopped: EEXIST/);
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
  it.each([
    ...['127.0.0.1', 'localhost:9000', '[::1]:8006', 'LOCALHOST'].map((host) => [{ host }, '']),
    ...['evil.example', 'localhost.evil.example', '127.0.0.1.evil'].map((host) => [
      { host },
      foreignHost,
    ]),
    ...['https://evil.example', 'http://localhost:3000', 'null', 'file://'].map((origin) => [
      { origin },
      noPages,
    ]),
  ] as [Record<string, string>, string][])(
    'with %j is accepted or refused: %j',
    async (headers, refusal) => {
      const url = await serve();
      expect(await connect(url, headers)).toBe(refusal === '' ? 'open' : refusal);
      expect(await get(url, headers)).toBe(
        refusal === '' ? '200 {"status":"ok"}\n' : `${refusal}\n`,
      );
    },
  );

  it('may be a web page only if its origin is allowed', async () => {
    const origin = 'http://localhost:3000';
    const url = await serve({}, { allowedOrigins: [origin] });
    expect(await connect(url, { origin })).toBe('open');
    expect(await connect(url, { origin: 'http://localhost:3001' })).toBe(noPages);
    expect(await connect(url, { origin, host: 'evil.example' })).toBe(foreignHost);
  });
});
