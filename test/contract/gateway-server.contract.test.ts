import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serveGateway } from '../../electron/platform/gateway/gateway-server.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { fakeJpeg } from '../fakes/fake-pictures.ts';
import { spokenTo } from '../unit/electron/gateway/gateway-client.ts';
import {
  GatewayClient,
  gatewayHarness,
  gatewayKinds,
  httpUrl,
  refusalOf,
} from './gateway-harness.ts';

const { makeGateway, serve, speech, takeServer } = gatewayHarness();

afterEach(() => {
  vi.useRealTimers();
});

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

    it('handles invalid JSON as its profile does', async () => {
      const url = await serve({ profile, dialect });
      const client = new GatewayClient(`${url}?mode=audio`, dialect);
      await client.received('admitted');
      client.socket.send('{"type":');
      expect((await client.ended).code).toBe(profile === 'documented' ? 1003 : endCode(1000));
      expect(client.kinds.includes('closed')).toBe(profile === 'deployed' && !dropsSilently);
      const binary = new GatewayClient(url, dialect);
      await binary.received('admitted');
      binary.socket.send(Buffer.from('{}'), { binary: true });
      expect((await binary.ended).code).toBe(profile === 'documented' ? 1003 : endCode(1000));
    });

    it('handles the other dialect’s configure as its profile does', async () => {
      const url = await serve({ profile, dialect });
      const other = dialect === 'unified' ? 'legacy' : 'unified';
      const client = new GatewayClient(`${url}?mode=audio`, other);
      await client.received('admitted');
      const asked = systemClock.now();
      client.send({ kind: 'configure', settings: {} });
      if (profile === 'documented') {
        expect((await client.received('error')).code).toBe('unknown_event');
        expect(client.socket.readyState).toBe(client.socket.OPEN);
      } else if (dialect === 'unified') {
        const closed = await client.received('closed');
        // Immediately, without waiting for the next step or the closing handshake.
        expect(systemClock.now() - asked).toBeLessThan(900);
        expect(closed).toMatchObject({ reason: 'backend_error' });
        expect(closed.diagnostic).toMatch(/session\.update/);
      } else {
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(client.kinds).toEqual(['admitted']);
        expect(client.socket.readyState).toBe(client.socket.OPEN);
      }
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

describe('chat on a real socket', () => {
  it.each(['documented', 'deployed'] as const)('answers a turn, %s', async (profile) => {
    const url = await serve({ profile });
    const client = new GatewayClient(`${url}?mode=chat`);
    await client.received('admitted');
    expect((await client.configure()).runtimeMode).toBe('turn_based');
    const messages = [{ role: 'user', content: 'Reply with exactly: test' }] as const;
    client.send({ kind: 'chat', messages });
    expect(await client.received('done')).toMatchObject({ text: 'test', reason: 'turn_end' });
    client.send({
      kind: 'chat',
      messages: [{ role: 'user', content: 'Hello!' }],
      speech: { enabled: true },
    });
    const done = await client.received('done', 2);
    expect(done.text).toBe(speech().clips[0]?.text);
    const samples = client.events.reduce(
      (sum, event) => sum + ((event.kind === 'output' && event.audio?.length) || 0),
      0,
    );
    expect(samples).toBe(speech().clips[0]?.audio.length);
  });
});

describe('the server around the gateway', () => {
  it('reports its health and its address', async () => {
    const url = await serve();
    const health = await fetch(httpUrl(url, '/health'));
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    expect((await fetch(httpUrl(url, '/'))).status).toBe(404);
    expect((await fetch(httpUrl(url, ''))).status).toBe(426);
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/v1\/realtime$/);
  });

  it('reports the numbers of workers, idle workers and waiting clients', async () => {
    const url = await serve({ workers: 2 });
    const answer = async (): Promise<unknown> => (await fetch(httpUrl(url, '/status'))).json();
    const [total_workers, queue_length] = [2, 0];
    expect(await answer()).toEqual({
      total_workers,
      idle_workers: 2,
      busy_workers: 0,
      queue_length,
    });
    await new GatewayClient(url).received('admitted');
    expect(await answer()).toMatchObject({ idle_workers: 1, busy_workers: 1 });
    await new GatewayClient(url).received('admitted');
    await new GatewayClient(url).received('queued');
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
    const client = new GatewayClient(url);
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
    const second = new GatewayClient(url);
    await second.next();
    const third = new GatewayClient(url);
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
      await client.configure();
      client.send({ kind: 'append', audio: spokenTo });
      expect((await client.received('output', 2)).audio).toHaveLength(24_000);
    }
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
    // Its pong precedes its next message.
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
    const raw = connect(Number(port), '127.0.0.1');
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
    expect(log.lines.join()).toMatch(/connection to the embedded gateway failed/);
    const next = new GatewayClient(url);
    await next.received('admitted');
  });

  it('frees the worker of a client that vanishes', async () => {
    const url = await serve({ workers: 1 });
    const client = new GatewayClient(url);
    await client.received('admitted');
    const next = new GatewayClient(url);
    await next.received('queued');
    client.socket.terminate();
    await next.received('admitted');
  });

  it('ends although a client stops reading, and still tells it why', async () => {
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
});
