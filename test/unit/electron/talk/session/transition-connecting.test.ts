import { describe, expect, it } from 'vitest';
import { appError } from '../../../../../shared/errors/app-error.ts';
import {
  wireReason,
  refusedError,
  sessionError,
} from '../../../../../shared/errors/session-reasons.ts';
import { admitted, closed, created, error, queued } from './server-events.ts';
import { chat, Scene } from './session-scene.ts';

describe('opening a session', () => {
  it('connects for its mode and passes through its states', () => {
    const scene = new Scene({ mode: 'video' });
    expect(scene.socket.mode).toBe('video');
    scene.open().say(queued(2), queued(1), admitted, created);
    expect(scene.emittedOf('state').map(({ state }) => state)).toEqual([
      'connecting',
      'queued',
      'configuring',
      'live',
    ]);
    expect(scene.emittedOf('queue').map(({ position }) => position)).toEqual([2, 1]);
    expect(scene.emittedOf('session')).toEqual([{ event: 'session', id: 's', dialect: 'unified' }]);
    expect(scene.session.phase).toBe('live');
  });

  it('sends nothing before it is admitted', () => {
    const scene = new Scene().open().say(queued(2));
    scene.speak(3);
    scene.session.interrupt();
    expect(scene.socket.sent).toEqual([]);
    scene.say(admitted);
    expect(scene.asks).toEqual(['configure unified 0']);
  });

  it('configures once, even if it is admitted repeatedly', () => {
    const scene = new Scene().open().say(admitted, admitted, queued(1), created, created);
    expect(scene.asks).toEqual(['configure unified 0']);
    expect(scene.emittedOf('session')).toHaveLength(1);
  });

  it('keeps commands from before it is live', () => {
    const scene = new Scene({ mode: 'video' });
    scene.session.pushFrame(new Uint8Array([1]));
    scene.session.setMaxSlices(4);
    scene.live().speak(1);
    expect(scene.appends[0]).toMatchObject({ frames: [new Uint8Array([1])], maxSlices: 4 });
  });

  it('gives up a connection that does not open', () => {
    const scene = new Scene().wait(15_000);
    expect(scene.closed).toMatchObject({
      error: appError('testSlow', { seconds: 15 }),
      by: 'network',
      orderly: false,
    });
    expect(scene.socket.terminated).toBe(true);
  });

  it('gives up a silent server', () => {
    const scene = new Scene().open().wait(20_000);
    expect(scene.session.phase).toBe('closing');
    expect(scene.close(1000).closed).toMatchObject({ error: sessionError('silent'), by: 'server' });
  });

  it('waits in the queue without a limit', () => {
    const scene = new Scene().open().say(queued(1)).wait(3_600_000);
    expect(scene.session.phase).toBe('queued');
    expect(scene.say(admitted, created).session.phase).toBe('live');
  });

  it('reports why an upgrade was refused, without a retry', () => {
    const scene = new Scene();
    scene.socket.end({ kind: 'refused', status: 403, body: '  bad\n mode ' });
    expect(scene.closed).toMatchObject({
      error: refusedError(403, 'bad mode'),
      by: 'server',
      orderly: false,
    });
    expect(scene.wait(60_000).sockets.lines).toHaveLength(1);
  });

  it('reports why there was no connection', () => {
    const scene = new Scene();
    scene.socket.end({ kind: 'unreachable', error: appError('badAddress') });
    expect(scene.closed).toMatchObject({ error: appError('badAddress'), by: 'network' });
    expect(scene.closed).not.toHaveProperty('lasting');
  });

  it('reports that the cause is permanent', () => {
    const scene = new Scene();
    scene.socket.end({ kind: 'unreachable', error: appError('badAddress'), permanent: true });
    expect(scene.closed).toMatchObject({ error: appError('badAddress'), lasting: true });
  });

  it.each(['queue_full', 'service_unavailable', 'worker_busy', 'worker_connect_failed'])(
    'ends with %s',
    (code) => {
      const scene = new Scene().open().say(queued(1), error(code));
      expect(scene.emittedOf('error')).toMatchObject([
        { error: sessionError(code, 'said so'), fatal: true },
      ]);
      expect(scene.close(1013).closed).toMatchObject({
        error: sessionError(code, 'said so'),
        by: 'server',
        orderly: false,
      });
    },
  );

  it('detects a full queue from the close alone', () => {
    const scene = new Scene().open().close(1013, 'queue is full');
    expect(scene.closed).toMatchObject({ error: { code: 'queueFull' } });
  });

  it('ends when its time limit is reached in the queue', () => {
    const scene = new Scene().open().say(queued(1), closed('timeout')).close(1000);
    expect(scene.closed).toMatchObject({
      error: sessionError('timeout'),
      by: 'server',
      orderly: true,
    });
  });

  it('continues after non-fatal errors and malformed frames', () => {
    const scene = new Scene().open().say(error('not_ready'), { kind: 'malformed', problem: 'p' });
    scene.socket.receive(undefined);
    scene.say({ kind: 'unknown', type: 'x', raw: {} });
    expect(scene.emittedOf('error').map(({ error, fatal }) => [wireReason(error), fatal])).toEqual([
      ['not_ready', false],
      ['malformed', false],
      ['malformed', false],
    ]);
    expect(scene.emittedOf('unknown')).toHaveLength(1);
    expect(scene.say(admitted, created).session.phase).toBe('live');
  });
});

describe('a worker that cannot be handed over', () => {
  const refusal = error('session_failed', 'worker answered 403');

  it('is requested again soon, without an error', () => {
    const scene = new Scene().open().say(admitted, refusal).close(1000);
    expect(scene.session.phase).toBe('connecting');
    expect(scene.emittedOf('error')).toEqual([]);
    scene.wait(400).live();
    expect(scene.session.phase).toBe('live');
    expect(scene.asks).toEqual(['configure unified 0', 'configure unified 1']);
    expect(scene.emittedOf('state').map(({ state }) => state)).toEqual([
      'connecting',
      'configuring',
      'connecting',
      'configuring',
      'live',
    ]);
  });

  it('is requested a limited number of times', () => {
    const scene = new Scene();
    for (let attempt = 0; attempt < 5; attempt += 1)
      scene.open().say(admitted, refusal).wait(2_000);
    expect(scene.sockets.lines).toHaveLength(5);
    expect(scene.closed).toMatchObject({ error: sessionError('session_failed'), by: 'server' });
    expect(scene.emittedOf('error')).toMatchObject([{ fatal: true }]);
  });

  it('is requested after a random delay', () => {
    const delays = [1, 2].map((seed) => {
      const scene = new Scene({}, seed).open().say(admitted, refusal);
      let waited = 0;
      while (scene.sockets.lines.length === 1 && waited < 1000) {
        waited += 1;
        scene.wait(1);
      }
      return waited;
    });
    expect(delays[0]).not.toBe(delays[1]);
    for (const delay of delays) expect(delay).toBeGreaterThanOrEqual(200);
    for (const delay of delays) expect(delay).toBeLessThanOrEqual(400);
  });

  it('is requested with a delay that doubles each time', () => {
    const scene = new Scene();
    for (const delay of [200, 400, 800, 1600]) {
      const lines = scene.sockets.lines.length;
      scene
        .open()
        .say(admitted, refusal)
        .wait(delay - 1);
      expect(scene.sockets.lines).toHaveLength(lines);
      expect(scene.wait(202).sockets.lines).toHaveLength(lines + 1);
    }
  });

  it('does not count against the dialect', () => {
    const scene = new Scene();
    for (let time = 0; time < 2; time += 1) scene.open().say(admitted, refusal).wait(1_000);
    scene.open().say(admitted, error('unknown_event'));
    expect(scene.asks.at(-1)).toBe('configure legacy 2');
  });

  it('is not confused with other errors that mention 403', () => {
    const scene = new Scene().open().say(admitted, error('odd', '403'));
    expect(scene.session.phase).toBe('configuring');
  });

  it('is not confused with a later or unrelated failure', () => {
    expect(
      new Scene().open().say(admitted, error('session_failed', 'out of memory')).session.phase,
    ).toBe('closing');
    expect(new Scene().open().say(admitted).wait(6_000).say(refusal).session.phase).toBe('closing');
    expect(new Scene().live().say(refusal).session.phase).toBe('closing');
  });

  it('can be given up during the wait', () => {
    const scene = new Scene().open().say(admitted, refusal);
    scene.session.end();
    expect(scene.closed).toMatchObject({ by: 'client', orderly: true });
    expect(scene.wait(10_000).sockets.lines).toHaveLength(1);
  });
});

describe('chat and the legacy dialect', () => {
  it('cannot be combined', () => {
    const scene = chat({ dialect: 'legacy' });
    expect(scene.closed).toBeUndefined();
    scene.wait(0);
    expect(scene.closed).toMatchObject({
      error: sessionError('no_chat_in_legacy'),
      orderly: false,
    });
    expect(scene.sockets.lines).toEqual([]);
  });
});
