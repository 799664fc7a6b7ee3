import { describe, expect, it } from 'vitest';
import { inProcessSockets } from '../../../../electron/gateway/in-process-sockets.ts';
import { writePlain } from '../../../fakes/plain-codec.ts';
import { setGatewayScene, silence, type GatewayScene } from './gateway-client.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import type { Fault } from '../../../../electron/gateway/gateway-options.ts';
import type { SocketEnd } from '../../../../shared/ports/sockets.ts';

/** A gateway in this process with one connected client, whose messages and end the test reads. */
function connectTo(mode: string, faults: readonly Fault[] = []) {
  const scene = setGatewayScene({ faults });
  const heard: string[] = [];
  const ends: SocketEnd[] = [];
  const socket = inProcessSockets(scene.gateway, scene.clock).connect(mode, {
    opened: () => heard.push('opened'),
    received: (text) => {
      const event = text === undefined ? { kind: 'binary' } : (JSON.parse(text) as object);
      heard.push('kind' in event ? String(event.kind) : 'no kind');
    },
    ended: (end) => {
      heard.push('ended');
      ends.push(end);
    },
  });
  return { ...scene, heard, ends, socket };
}

describe('the gateway in process', () => {
  it('opens, carries messages both ways, and ends when the gateway ends the session', () => {
    const { clock, heard, ends, socket } = connectTo('audio');
    clock.advance(1);
    socket.send(writePlain({ kind: 'configure', settings: {} }));
    clock.advance(300);
    socket.send(writePlain({ kind: 'append', audio: silence(1000) }));
    clock.advance(300);
    socket.send(writePlain({ kind: 'close', reason: 'user_stop' }));
    clock.advance(1);
    expect(heard).toEqual(['opened', 'admitted', 'created', 'listen', 'closed', 'ended']);
    expect(ends).toEqual([{ kind: 'closed', code: 1000, reason: 'user_stop' }]);
  });

  it('reports a refusal as the end of the connection', () => {
    const { clock, heard, ends } = connectTo('nonsense');
    clock.advance(0);
    expect(heard).toEqual(['ended']);
    expect(ends).toEqual([{ kind: 'refused', status: 403, body: 'Forbidden' }]);
  });

  it('frees the worker when the client closes or terminates', () => {
    for (const go of ['terminate', 'close'] as const) {
      const { clock, ends, socket, enter, heard, options } = connectTo('audio');
      clock.advance(0);
      const others = Array.from({ length: options.workers }, () => enter());
      expect(others.at(-1)?.kinds).toEqual(['queued']);
      if (go === 'close') socket.close(1000, 'bye');
      else socket.terminate();
      socket.send(writePlain({ kind: 'append', audio: silence(1000) }));
      clock.advance(1);
      expect(others.at(-1)?.kinds).toEqual(['queued', 'admitted']);
      expect(ends).toEqual([
        go === 'close'
          ? { kind: 'closed', code: 1000, reason: 'bye' }
          : { kind: 'closed', code: 1006, reason: '' },
      ]);
      socket.terminate();
      clock.advance(1);
      expect(heard).toEqual(['opened', 'admitted', 'ended']);
    }
  });
});

const limitMs = 10_000;

/** Drains the gateway. `at` gets the time when that is done. */
function drain({ gateway, clock }: GatewayScene): { at?: number } {
  const drained: { at?: number } = {};
  void Promise.resolve(gateway.drain(limitMs)).then(() => (drained.at = clock.now()));
  return drained;
}

describe('a draining gateway', () => {
  it('closes waiting and new clients, and continues the sessions of the others', () => {
    const scene = setGatewayScene({ workers: 1 });
    const running = scene.goLive();
    const waiting = [scene.enter(), scene.enter()];
    drain(scene);
    for (const client of [...waiting, scene.enter()]) {
      expect(client.last('closed')?.reason).toBe('server_shutdown');
      expect(client.closed?.code).toBe(1001);
      expect(client.kinds).not.toContain('admitted');
    }
    expect(running.closed).toBeUndefined();
    expect(scene.step(running).map(({ kind }) => kind)).toEqual(['listen']);
    expect(waiting[1]?.all('queued')).toHaveLength(1);
  });

  it('is done when the last session has ended', async () => {
    const scene = setGatewayScene();
    const [first, second] = [scene.goLive(), scene.goLive()];
    const drained = drain(scene);
    first.ask({ kind: 'close', reason: 'user_stop' });
    scene.clock.advance(1000);
    await flushPromises();
    expect(drained.at).toBeUndefined();
    second.ask({ kind: 'close', reason: 'user_stop' });
    await flushPromises();
    expect(drained.at).toBe(scene.clock.now());
  });
});
