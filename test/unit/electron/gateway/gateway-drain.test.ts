import { describe, expect, it } from 'vitest';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { type GatewayScene, setGatewayScene } from './gateway-client.ts';

const limitMs = 10_000;

/** Drains the gateway, and returns the time at which that was done, once it was. */
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

  it('is done after its limit', async () => {
    const scene = setGatewayScene();
    scene.goLive();
    const began = scene.clock.now();
    const drained = drain(scene);
    scene.clock.advance(limitMs);
    await flushPromises();
    expect(drained.at).toBe(began + limitMs);
  });

  it('is done at once without sessions', () => {
    expect(setGatewayScene().gateway.drain(limitMs)).toBeUndefined();
  });
});
