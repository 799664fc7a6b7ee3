import { describe, expect, it } from 'vitest';
import { estimateQueueSeconds } from '../../../../electron/gateway/worker-pool.ts';
import { setGatewayScene } from './gateway-client.ts';

describe('the queue', () => {
  it('admits at once while a worker is free', () => {
    const { enter } = setGatewayScene({ workers: 2 });
    expect(enter('audio').kinds).toEqual(['admitted']);
    expect(enter('video').kinds).toEqual(['admitted']);
  });

  it('sends position, length, ticket and the estimated wait', () => {
    const { enter } = setGatewayScene({ workers: 2 });
    enter('audio');
    enter('video');
    const [third, fourth, fifth] = [enter('audio'), enter('chat'), enter('audio')];
    expect(third.events).toMatchObject([
      { kind: 'queued', stage: 'joined', position: 1, length: 1, etaSeconds: 90 },
    ]);
    expect(fourth.events).toMatchObject([{ position: 2, length: 2, etaSeconds: 120 }]);
    expect(fifth.events).toMatchObject([{ position: 3, length: 3, etaSeconds: 135 }]);
    expect(third.last('queued')?.ticket).toMatch(/^ticket_[0-9a-f]{12}$/);
    expect(third.last('queued')?.ticket).not.toBe(fourth.last('queued')?.ticket);
  });

  it('updates every three seconds with a decreasing wait', () => {
    const { enter, clock } = setGatewayScene({ workers: 1 });
    enter('video');
    const waiting = enter('audio');
    clock.advance(9500);
    expect(waiting.frames.map(({ at }) => at)).toEqual([0, 3000, 6000, 9000]);
    expect(waiting.all('queued').map(({ stage }) => stage)).toEqual([
      'joined',
      'moved',
      'moved',
      'moved',
    ]);
    expect(waiting.all('queued').map(({ etaSeconds }) => etaSeconds)).toEqual([90, 87, 84, 81]);
  });

  it('moves all up at once when a client leaves, and assigns its worker', () => {
    const { enter, clock } = setGatewayScene({ workers: 1 });
    const [first, second, third, fourth] = [enter(), enter(), enter(), enter()];
    clock.advance(500);
    third.caller.disconnected();
    expect(fourth.last('queued')).toMatchObject({ stage: 'moved', position: 2, length: 2 });
    expect(second.all('queued')).toHaveLength(1);
    first.ask({ kind: 'close', reason: 'user_stop' });
    expect(second.kinds.at(-1)).toBe('admitted');
    expect(second.frames.at(-1)?.at).toBe(500);
    expect(fourth.last('queued')).toMatchObject({ stage: 'moved', position: 1, length: 1 });
    clock.advance(10_000);
    expect(second.kinds.filter((kind) => kind === 'queued')).toHaveLength(1);
  });

  it('leaves the ticket out of updates only with the deployed profile', () => {
    for (const profile of ['documented', 'deployed'] as const) {
      const { enter, clock } = setGatewayScene({ workers: 1, profile });
      enter();
      const waiting = enter();
      clock.advance(3000);
      const hasTicket = waiting.last('queued')?.ticket !== undefined;
      expect(waiting.last('queued')?.stage).toBe('moved');
      expect(hasTicket).toBe(profile === 'documented');
    }
  });

  it('refuses with queue_full and 1013 when the queue is full', () => {
    const { enter } = setGatewayScene({ workers: 1, queueLimit: 1 });
    enter();
    const [waiting, refused] = [enter(), enter()];
    expect(refused.events).toMatchObject([
      { kind: 'error', code: 'queue_full', type: 'server_error' },
    ]);
    expect(refused.closed).toMatchObject({ code: 1013 });
    expect(waiting.closed).toBeUndefined();
  });

  it('assigns the worker of a leaving client to the next', () => {
    const { enter } = setGatewayScene({ workers: 1 });
    const [first, second] = [enter(), enter()];
    first.caller.disconnected();
    expect(second.kinds).toEqual(['queued', 'admitted']);
  });

  it('closes all at its end and admits none meanwhile', () => {
    const { enter, gateway, clock } = setGatewayScene({ workers: 1 });
    const clients = [enter(), enter()];
    void gateway.end();
    for (const client of clients) {
      expect(client.last('closed')?.reason).toBe('server_shutdown');
      expect(client.closed?.code).toBe(1001);
    }
    expect(clients[1]?.kinds).not.toContain('admitted');
    clock.advance(20_000);
    expect(clients[1]?.frames).toHaveLength(2);
  });
});

describe('the estimated wait', () => {
  it('is zero while a worker is idle', () => {
    expect(estimateQueueSeconds(2, [100], [])).toBe(0);
  });

  it('counts the clients ahead', () => {
    expect(estimateQueueSeconds(2, [100, 40], [])).toBe(40);
    expect(estimateQueueSeconds(2, [100, 40], [600])).toBe(100);
    expect(estimateQueueSeconds(2, [100, 40], [10])).toBe(50);
  });
});
