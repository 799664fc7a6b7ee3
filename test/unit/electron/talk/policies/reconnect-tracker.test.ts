import { describe, expect, it } from 'vitest';
import { ReconnectTracker } from '../../../../../electron/talk/policies/reconnect-policy.ts';
import { sessionError } from '../../../../../shared/errors/session-reasons.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';

const lost = { error: sessionError('connection_lost'), by: 'network' } as const;
const unreachable = { error: sessionError('unreachable'), by: 'network' } as const;
const broken = { error: sessionError('backend_error'), by: 'server' } as const;

function scene() {
  const clock = new FakeClock();
  const reconnecting = new ReconnectTracker({ clock, random: () => 1 });
  const live = (forMs: number) => {
    for (const phase of ['connecting', 'configuring', 'live'] as const) reconnecting.onPhase(phase);
    clock.advance(forMs);
  };
  const triesWithin = (ms: number) => {
    const end = clock.now() + ms;
    let tries = 0;
    for (let then = reconnecting.onSessionEnd(unreachable); then.do === 'reconnect';) {
      clock.advance(then.inMs);
      if (clock.now() >= end) return tries;
      tries += 1;
      reconnecting.onPhase('connecting');
      then = reconnecting.onSessionEnd(unreachable);
    }
    return -1;
  };
  return { clock, reconnecting, live, triesWithin };
}

describe('reconnecting', () => {
  it('reports the failure of a first attempt at once', () => {
    const { reconnecting } = scene();
    reconnecting.onPhase('connecting');
    expect(reconnecting.onSessionEnd(lost)).toEqual({ do: 'stop', offer: 'retry' });
  });

  it('retries through half a minute without network, and gives up after four minutes', () => {
    const half = scene();
    half.live(60_000);
    expect(half.triesWithin(30_000)).toBe(6);
    const long = scene();
    long.live(60_000);
    const from = long.clock.now();
    expect(long.triesWithin(600_000)).toBe(-1);
    expect(long.clock.now() - from).toBeGreaterThanOrEqual(240_000);
    expect(long.clock.now() - from).toBeLessThan(251_000);
  });

  it('resets its history once a session was live for half a minute', () => {
    const { reconnecting, live } = scene();
    live(60_000);
    expect(reconnecting.onSessionEnd(lost)).toEqual({ do: 'reconnect', inMs: 500 });
    live(29_999);
    expect(reconnecting.onSessionEnd(lost)).toEqual({ do: 'reconnect', inMs: 1000 });
    live(30_000);
    expect(reconnecting.onSessionEnd(lost)).toEqual({ do: 'reconnect', inMs: 500 });
  });

  it('gives up if sessions fail again and again while live', () => {
    const { clock, reconnecting, live } = scene();
    const did: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      live(2_000);
      const then = reconnecting.onSessionEnd(broken);
      did.push(then.do);
      if (then.do === 'reconnect') clock.advance(then.inMs);
    }
    expect(did).toEqual(['reconnect', 'reconnect', 'reconnect', 'reconnect', 'stop']);
  });

  it('does not count time in a queue as time without a server', () => {
    const { clock, reconnecting, live } = scene();
    live(60_000);
    reconnecting.onSessionEnd(lost);
    reconnecting.onPhase('connecting');
    reconnecting.onPhase('queued');
    clock.advance(900_000);
    expect(reconnecting.onSessionEnd(lost).do).toBe('reconnect');
  });

  it('reports a failure at once after the user continued', () => {
    const { reconnecting, live } = scene();
    live(60_000);
    expect(reconnecting.onSessionEnd({ error: sessionError('timeout'), by: 'server' })).toEqual({
      do: 'stop',
      offer: 'continue',
    });
    reconnecting.onUserStart();
    reconnecting.onPhase('connecting');
    expect(reconnecting.onSessionEnd(unreachable)).toEqual({ do: 'stop', offer: 'continue' });
  });

  it('starts with the shortest delay after a sleep', () => {
    const { reconnecting, live } = scene();
    live(60_000);
    for (let round = 0; round < 5; round += 1) reconnecting.onSessionEnd(unreachable);
    reconnecting.onSystemWake();
    expect(reconnecting.onSessionEnd(lost)).toEqual({ do: 'reconnect', inMs: 500 });
  });
});
