import { beforeEach, describe, expect, it } from 'vitest';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { createBackendCodec } from '../../../../electron/gateway/backend.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { GatewayMetrics } from '../../../../electron/gateway/gateway-metrics.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import type { SocketEnd } from '../../../../shared/ports/sockets.ts';
import { FakeBackend } from './backend-harness.ts';
import { type GatewayClient, type GatewayScene, setGatewayScene } from './gateway-client.ts';

const unreachable: SocketEnd = { kind: 'unreachable', error: appError('connectionGivenUp') };
const closedAtOnce: SocketEnd = { kind: 'closed', code: 1000, reason: '' };

let servers: readonly FakeBackend[];
let metrics: GatewayMetrics;
let scene: GatewayScene;

/** Opens a gateway in front of this many servers. */
function openGatewayWith(count: number): void {
  servers = Array.from({ length: count }, () => new FakeBackend());
  metrics = new GatewayMetrics();
  scene = setGatewayScene(
    {},
    {
      backends: {
        servers,
        codec: createBackendCodec(bufferBase64),
        defaultVoice: new Float32Array(160),
        metrics,
      },
    },
  );
}

beforeEach(() => {
  openGatewayWith(2);
});

const server = (at: number): FakeBackend => {
  const found = servers[at];
  if (found === undefined) throw new Error(`no server ${at}`);
  return found;
};
const states = (): readonly string[] => scene.gateway.status().backends.map(({ state }) => state);

/** Accepts the newest connection and sends nothing, as a free server does. */
function accept(at: number): void {
  server(at).socket.open();
  scene.clock.advance(50);
}

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    scene.clock.advance(Math.min(left, 500));
    await flushPromises();
  }
}

function configure(client: GatewayClient): void {
  client.ask({ kind: 'configure', settings: {} });
}

describe('a client whose model server cannot be reached', () => {
  it('gets the next server at once, and receives only its admission', () => {
    const client = scene.enter('audio');
    server(0).socket.end(unreachable);
    accept(1);
    expect(client.kinds).toEqual(['admitted']);
    expect(states()).toEqual(['lost', 'busy']);
    expect(metrics.format(scene.gateway.status())).not.toContain('errors_total{');
  });

  it('is first in the queue for a busy server', async () => {
    const talking = scene.enter('audio');
    accept(0);
    const first = scene.enter('audio');
    const second = scene.enter('audio');
    server(1).socket.end(unreachable);
    expect(first.last('queued')).toMatchObject({ stage: 'joined', position: 1 });
    expect(second.last('queued')).toMatchObject({ position: 2 });
    talking.caller.disconnected();
    accept(0);
    expect(first.kinds.at(-1)).toBe('admitted');
    expect(second.last('queued')).toMatchObject({ position: 1 });
  });

  it('waits for its only server while that starts again', async () => {
    openGatewayWith(1);
    const client = scene.enter('audio');
    server(0).socket.end(unreachable);
    await pass(1000);
    accept(0);
    configure(client);
    expect(client.kinds).toEqual(['queued', 'admitted']);
    expect(server(0).sent).toMatchObject([{ type: 'session.init' }]);
  });

  it('is refused after each server has failed it once', () => {
    const client = scene.enter('audio');
    server(0).socket.end(unreachable);
    server(1).socket.end({ kind: 'refused', status: 404, body: '' });
    expect(client.kinds).toEqual(['error']);
    expect(client.last('error')).toMatchObject({
      code: 'worker_connect_failed',
      message: 'the model server answered HTTP 404',
    });
    expect(client.closed?.code).toBe(1013);
  });

  it('is refused after 15 s without any server', async () => {
    openGatewayWith(1);
    server(0).isWell = false;
    const client = scene.enter('audio');
    server(0).socket.end(unreachable);
    await pass(14_500);
    expect(client.closed).toBeUndefined();
    await pass(500);
    expect(client.last('error')?.code).toBe('service_unavailable');
    expect(client.closed?.code).toBe(1013);
  });

  it('gets another server after its admission without an event, with the settings it has sent', () => {
    const client = scene.enter('audio');
    accept(0);
    server(0).socket.end(unreachable);
    configure(client);
    accept(1);
    server(1).send({ type: 'session.created', session_id: 'other' });
    expect(client.kinds).toEqual(['admitted', 'created']);
  });

  it('gets no other server if one crashes after it has received the settings', () => {
    const client = scene.enter('audio');
    accept(0);
    configure(client);
    server(0).socket.end({ kind: 'closed', code: 1006, reason: '' });
    expect(client.last('error')?.code).toBe('worker_connect_failed');
    expect(server(1).sockets).toHaveLength(0);
  });

  it('frees the server if it leaves while it connects', () => {
    openGatewayWith(1);
    scene.enter('audio').caller.disconnected();
    expect(server(0).socket.terminated).toBe(true);
    expect(states()).toEqual(['idle']);
  });
});

describe('a model server that another gateway uses', () => {
  it('is occupied instead of lost, and is tried again with growing pauses while clients wait', async () => {
    openGatewayWith(1);
    const client = scene.enter('audio');
    const tries = [0];
    for (let at = 0; at < 10_000; at += 500) {
      if (server(0).sockets.length > tries.length) tries.push(scene.clock.now());
      if (server(0).socket.state !== 'ended') {
        server(0).socket.open();
        server(0).socket.end(closedAtOnce);
      }
      expect(states()).toEqual(['occupied']);
      await pass(500);
    }
    expect(tries).toEqual([0, 1000, 3000, 7000]);
    await pass(5000);
    accept(0);
    expect(new Set(client.kinds)).toEqual(new Set(['queued', 'admitted']));
    expect(client.all('queued')[0]).toMatchObject({ stage: 'joined', position: 1 });
    const text = metrics.format(scene.gateway.status());
    expect(text).toContain('workers{state="lost"} 0\n');
    expect(text).not.toContain('errors_total{');
  });

  it('is not tried while no client waits, and is tried for a new client', async () => {
    openGatewayWith(1);
    const client = scene.enter('audio');
    server(0).socket.end(closedAtOnce);
    client.caller.disconnected();
    const early = scene.enter('audio');
    expect(early.kinds).toEqual(['queued']);
    early.caller.disconnected();
    await pass(5000);
    expect(states()).toEqual(['occupied']);
    expect(server(0).sockets).toHaveLength(1);
    const newcomer = scene.enter('audio');
    accept(0);
    expect(newcomer.kinds).toEqual(['admitted']);
  });

  it('is replaced by a free server, also after the settings were sent', () => {
    const client = scene.enter('audio');
    accept(0);
    configure(client);
    server(0).socket.end(closedAtOnce);
    accept(1);
    expect(server(1).sent).toMatchObject([{ type: 'session.init' }]);
    expect(states()).toEqual(['occupied', 'busy']);
    expect(client.kinds).toEqual(['admitted']);
  });
});
