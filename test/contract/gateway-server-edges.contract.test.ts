import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serveGateway } from '../../electron/platform/gateway/gateway-server.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { spokenTo } from '../unit/electron/gateway/gateway-client.ts';
import { GatewayClient, refusalOf } from './gateway-server-client.ts';
import { gatewayHarness } from './gateway-server-harness.ts';

const { makeGateway, serve, takeServer } = gatewayHarness();

afterEach(() => {
  vi.useRealTimers();
});

describe('the server around the gateway', () => {
  it('reports its health and its address', async () => {
    const url = await serve();
    const http = url.replace('ws:', 'http:');
    const health = await fetch(new URL('/health', http));
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    expect((await fetch(new URL('/', http))).status).toBe(404);
    expect((await fetch(http)).status).toBe(426);
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/v1\/realtime$/);
  });

  it('reports the numbers of workers, idle workers and waiting clients', async () => {
    const url = await serve({ workers: 2 });
    const status = new URL('/status', url.replace('ws:', 'http:'));
    const answer = async (): Promise<unknown> => (await fetch(status)).json();
    const [total_workers, queue_length] = [2, 0];
    expect(await answer()).toEqual({
      total_workers,
      idle_workers: 2,
      busy_workers: 0,
      queue_length,
    });
    await new GatewayClient(url, 'unified').received('admitted');
    expect(await answer()).toMatchObject({ idle_workers: 1, busy_workers: 1 });
    await new GatewayClient(url, 'unified').received('admitted');
    await new GatewayClient(url, 'unified').received('queued');
    expect(await answer()).toEqual({
      total_workers,
      idle_workers: 0,
      busy_workers: 2,
      queue_length: 1,
    });
  });

  it('refuses other paths and unknown modes, and follows a scripted refusal, each with a status and a body', async () => {
    const faults = [{ kind: 'refuse', status: 502, body: 'no worker', session: 2 }] as const;
    const url = await serve({ faults });
    expect(await refusalOf(url.replace('/v1/realtime', '/v2'))).toMatchObject({ status: 403 });
    expect(await refusalOf(`${url}?mode=nonsense`)).toEqual({ status: 403, body: 'Forbidden' });
    expect(await refusalOf(`${url}?mode=audio`)).toEqual({ status: 502, body: 'no worker' });
    const client = new GatewayClient(url, 'unified');
    await client.received('admitted');
  });

  it('counts failed upgrades, so faults hit the intended client', async () => {
    const url = await serve({ faults: [{ kind: 'workerDown', session: 2 }] });
    const raw = connect(Number(new URL(url).port), '127.0.0.1');
    raw.write(
      'GET /v1/realtime?mode=audio HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n' +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: broken\r\n\r\n',
    );
    const [answer] = (await once(raw, 'data')) as [Buffer];
    expect(answer.toString()).toContain('400 Bad Request');
    raw.destroy();
    const second = new GatewayClient(url, 'unified');
    await second.next();
    const third = new GatewayClient(url, 'unified');
    await third.next();
    expect([second.kinds, third.kinds]).toEqual([['queued'], ['admitted']]);
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

  it('compresses only on request', async () => {
    const url = await serve();
    for (const perMessageDeflate of [true, false]) {
      const client = new GatewayClient(`${url}?mode=audio`, 'unified', { perMessageDeflate });
      await client.received('admitted');
      expect(client.socket.extensions).toBe(perMessageDeflate ? 'permessage-deflate' : '');
      client.send({ kind: 'configure', settings: {} });
      await client.received('created');
      client.send({ kind: 'append', audio: spokenTo });
      expect((await client.received('output', 2)).audio).toHaveLength(24_000);
    }
  });

  it('pings, and disconnects clients that do not answer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const url = await serve();
    const silent = new GatewayClient(url, 'unified', { autoPong: false });
    const answering = new GatewayClient(url, 'unified');
    await Promise.all([silent.received('admitted'), answering.received('admitted')]);
    const ping = once(answering.socket, 'ping');
    vi.advanceTimersByTime(20_000);
    await ping;
    // Its pong precedes its next message.
    answering.send({ kind: 'configure', settings: {} });
    await answering.received('created');
    expect(silent.socket.readyState).toBe(silent.socket.OPEN);
    vi.advanceTimersByTime(20_000);
    expect((await silent.ended).code).toBe(1006);
    expect(answering.socket.readyState).toBe(answering.socket.OPEN);
  });

  it('survives non-WebSocket traffic, and logs a broken connection', async () => {
    const log = new FakeLog();
    const url = await serve({}, log);
    const { port } = new URL(url);
    const raw = connect(Number(port), '127.0.0.1');
    raw.end('this is not HTTP\r\n\r\n');
    raw.resume();
    await once(raw, 'close');
    const client = new GatewayClient(url, 'unified');
    await client.received('admitted');
    // A reserved bit without a negotiated extension.
    (client.socket as unknown as { _socket: NodeJS.WritableStream })._socket.write(
      Buffer.from([0xb1, 0x80, 0, 0, 0, 0]),
    );
    await client.ended;
    expect(log.lines.join()).toMatch(/connection to the embedded gateway failed/);
    const next = new GatewayClient(url, 'unified');
    await next.received('admitted');
  });

  it('frees the worker of a client that vanishes', async () => {
    const url = await serve({ workers: 1 });
    const client = new GatewayClient(url, 'unified');
    await client.received('admitted');
    const next = new GatewayClient(url, 'unified');
    await next.received('queued');
    client.socket.terminate();
    await next.received('admitted');
  });

  it('ends although a client stops reading, and still tells it why', async () => {
    const url = await serve();
    const client = new GatewayClient(url, 'unified');
    await client.received('admitted');
    client.socket.pause();
    const server = takeServer();
    const began = systemClock.now();
    await server?.end();
    expect(systemClock.now() - began).toBeLessThan(10_000);
    client.socket.resume();
    expect((await client.received('closed')).reason).toBe('server_shutdown');
  });
});
