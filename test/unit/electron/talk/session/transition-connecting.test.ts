import { describe, expect, it } from 'vitest';
import { appError } from '../../../../../shared/errors/app-error.ts';
import {
  wireReason,
  refusedError,
  sessionError,
} from '../../../../../shared/errors/session-reasons.ts';
import { admitted, closed, created, error, queued } from './server-events.ts';
import { chat, SessionHarness } from './session-harness.ts';

describe('opening a session', () => {
  it('connects for its mode and passes through its states', () => {
    const harness = new SessionHarness({ mode: 'video' });
    expect(harness.socket.mode).toBe('video');
    harness.open().say(queued(2), queued(1), admitted, created);
    expect(harness.emittedOf('state').map(({ state }) => state)).toEqual([
      'connecting',
      'queued',
      'configuring',
      'live',
    ]);
    expect(harness.emittedOf('queue').map(({ position }) => position)).toEqual([2, 1]);
    expect(harness.emittedOf('session')).toEqual([
      { event: 'session', id: 's', dialect: 'unified' },
    ]);
    expect(harness.session.phase).toBe('live');
  });

  it('sends nothing before it is admitted', () => {
    const harness = new SessionHarness().open().say(queued(2));
    harness.speak(3);
    harness.session.interrupt();
    expect(harness.socket.sent).toEqual([]);
    harness.say(admitted);
    expect(harness.asks).toEqual(['configure unified 0']);
  });

  it('configures once, even if it is admitted repeatedly', () => {
    const harness = new SessionHarness()
      .open()
      .say(admitted, admitted, queued(1), created, created);
    expect(harness.asks).toEqual(['configure unified 0']);
    expect(harness.emittedOf('session')).toHaveLength(1);
  });

  it('keeps commands from before it is live', () => {
    const harness = new SessionHarness({ mode: 'video' });
    harness.session.pushFrame(new Uint8Array([1]));
    harness.session.setMaxSlices(4);
    harness.live().speak(1);
    expect(harness.appends[0]).toMatchObject({ frames: [new Uint8Array([1])], maxSlices: 4 });
  });

  it('gives up a connection that does not open', () => {
    const harness = new SessionHarness().wait(15_000);
    expect(harness.closed).toMatchObject({
      error: appError('testSlow', { seconds: 15 }),
      by: 'network',
      orderly: false,
    });
    expect(harness.socket.terminated).toBe(true);
  });

  it('gives up a silent server', () => {
    const harness = new SessionHarness().open().wait(20_000);
    expect(harness.session.phase).toBe('closing');
    expect(harness.close(1000).closed).toMatchObject({
      error: sessionError('silent'),
      by: 'server',
    });
  });

  it('waits in the queue without a limit', () => {
    const harness = new SessionHarness().open().say(queued(1)).wait(3_600_000);
    expect(harness.session.phase).toBe('queued');
    expect(harness.say(admitted, created).session.phase).toBe('live');
  });

  it('reports why an upgrade was refused, without a retry', () => {
    const harness = new SessionHarness();
    harness.socket.end({ kind: 'refused', status: 403, body: '  bad\n mode ' });
    expect(harness.closed).toMatchObject({
      error: refusedError(403, 'bad mode'),
      by: 'server',
      orderly: false,
    });
    expect(harness.wait(60_000).sockets.lines).toHaveLength(1);
  });

  it('reports why there was no connection', () => {
    const harness = new SessionHarness();
    harness.socket.end({ kind: 'unreachable', error: appError('badAddress') });
    expect(harness.closed).toMatchObject({ error: appError('badAddress'), by: 'network' });
    expect(harness.closed).not.toHaveProperty('lasting');
  });

  it('reports that the cause is permanent', () => {
    const harness = new SessionHarness();
    harness.socket.end({ kind: 'unreachable', error: appError('badAddress'), permanent: true });
    expect(harness.closed).toMatchObject({ error: appError('badAddress'), lasting: true });
  });

  it.each(['queue_full', 'service_unavailable', 'worker_busy', 'worker_connect_failed'])(
    'ends with %s',
    (code) => {
      const harness = new SessionHarness().open().say(queued(1), error(code));
      expect(harness.emittedOf('error')).toMatchObject([
        { error: sessionError(code, 'said so'), fatal: true },
      ]);
      expect(harness.close(1013).closed).toMatchObject({
        error: sessionError(code, 'said so'),
        by: 'server',
        orderly: false,
      });
    },
  );

  it('detects a full queue from the close alone', () => {
    const harness = new SessionHarness().open().close(1013, 'queue is full');
    expect(harness.closed).toMatchObject({ error: { code: 'queueFull' } });
  });

  it('ends when its time limit is reached in the queue', () => {
    const harness = new SessionHarness().open().say(queued(1), closed('timeout')).close(1000);
    expect(harness.closed).toMatchObject({
      error: sessionError('timeout'),
      by: 'server',
      orderly: true,
    });
  });

  it('continues after non-fatal errors and malformed frames', () => {
    const harness = new SessionHarness()
      .open()
      .say(error('not_ready'), { kind: 'malformed', problem: 'p' });
    harness.socket.receive(undefined);
    harness.say({ kind: 'unknown', type: 'x', raw: {} });
    expect(
      harness.emittedOf('error').map(({ error, fatal }) => [wireReason(error), fatal]),
    ).toEqual([
      ['not_ready', false],
      ['malformed', false],
      ['malformed', false],
    ]);
    expect(harness.emittedOf('unknown')).toHaveLength(1);
    expect(harness.say(admitted, created).session.phase).toBe('live');
  });
});

describe('a worker that cannot be handed over', () => {
  const refusal = error('session_failed', 'worker answered 403');

  it('is requested again soon, without an error', () => {
    const harness = new SessionHarness().open().say(admitted, refusal).close(1000);
    expect(harness.session.phase).toBe('connecting');
    expect(harness.emittedOf('error')).toEqual([]);
    harness.wait(400).live();
    expect(harness.session.phase).toBe('live');
    expect(harness.asks).toEqual(['configure unified 0', 'configure unified 1']);
    expect(harness.emittedOf('state').map(({ state }) => state)).toEqual([
      'connecting',
      'configuring',
      'connecting',
      'configuring',
      'live',
    ]);
  });

  it('is requested a limited number of times', () => {
    const harness = new SessionHarness();
    for (let attempt = 0; attempt < 5; attempt += 1)
      harness.open().say(admitted, refusal).wait(2_000);
    expect(harness.sockets.lines).toHaveLength(5);
    expect(harness.closed).toMatchObject({ error: sessionError('session_failed'), by: 'server' });
    expect(harness.emittedOf('error')).toMatchObject([{ fatal: true }]);
  });

  it('is requested after a random delay', () => {
    const delays = [1, 2].map((seed) => {
      const harness = new SessionHarness({}, seed).open().say(admitted, refusal);
      let waited = 0;
      while (harness.sockets.lines.length === 1 && waited < 1000) {
        waited += 1;
        harness.wait(1);
      }
      return waited;
    });
    expect(delays[0]).not.toBe(delays[1]);
    for (const delay of delays) expect(delay).toBeGreaterThanOrEqual(200);
    for (const delay of delays) expect(delay).toBeLessThanOrEqual(400);
  });

  it('is requested with a delay that doubles each time', () => {
    const harness = new SessionHarness();
    for (const delay of [200, 400, 800, 1600]) {
      const lines = harness.sockets.lines.length;
      harness
        .open()
        .say(admitted, refusal)
        .wait(delay - 1);
      expect(harness.sockets.lines).toHaveLength(lines);
      expect(harness.wait(202).sockets.lines).toHaveLength(lines + 1);
    }
  });

  it('does not count against the dialect', () => {
    const harness = new SessionHarness();
    for (let time = 0; time < 2; time += 1) harness.open().say(admitted, refusal).wait(1_000);
    harness.open().say(admitted, error('unknown_event'));
    expect(harness.asks.at(-1)).toBe('configure legacy 2');
  });

  it('is not confused with other errors that mention 403', () => {
    const harness = new SessionHarness().open().say(admitted, error('odd', '403'));
    expect(harness.session.phase).toBe('configuring');
  });

  it('is not confused with a later or unrelated failure', () => {
    expect(
      new SessionHarness().open().say(admitted, error('session_failed', 'out of memory')).session
        .phase,
    ).toBe('closing');
    expect(new SessionHarness().open().say(admitted).wait(6_000).say(refusal).session.phase).toBe(
      'closing',
    );
    expect(new SessionHarness().live().say(refusal).session.phase).toBe('closing');
  });

  it('can be given up during the wait', () => {
    const harness = new SessionHarness().open().say(admitted, refusal);
    harness.session.end();
    expect(harness.closed).toMatchObject({ by: 'client', orderly: true });
    expect(harness.wait(10_000).sockets.lines).toHaveLength(1);
  });
});

describe('chat and the legacy dialect', () => {
  it('cannot be combined', () => {
    const harness = chat({ dialect: 'legacy' });
    expect(harness.closed).toBeUndefined();
    harness.wait(0);
    expect(harness.closed).toMatchObject({
      error: sessionError('no_chat_in_legacy'),
      orderly: false,
    });
    expect(harness.sockets.lines).toEqual([]);
  });
});
