import { describe, expect, it } from 'vitest';
import { appError, refusedError, sessionError } from '../../../../../shared/errors/app-error.ts';
import {
  admitted,
  created,
  error,
  queued,
  closed,
  chat,
  SessionHarness,
} from './session-harness.ts';

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

  it('gives up a silent server', () => {
    const harness = new SessionHarness().open().wait(20_000);
    expect(harness.session.phase).toBe('closing');
    expect(harness.close(1000).closed).toMatchObject({
      error: sessionError('silent'),
      by: 'server',
    });
  });

  it('applies commands that came before the session is live', () => {
    const harness = new SessionHarness({ mode: 'video' });
    harness.session.pushFrame(new Uint8Array([1]));
    harness.session.setMaxSlices(4);
    harness.session.setInstructions('Be brief.');
    harness.live().speak(1);
    expect(harness.asked[0]?.ask).toMatchObject({ settings: { instructions: 'Be brief.' } });
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

  it('is requested with a delay that doubles each time', () => {
    const harness = new SessionHarness();
    for (const delay of [200, 400, 800, 1600]) {
      const lines = harness.sockets.lines.length;
      harness
        .open()
        .say(admitted, refusal)
        .wait(delay - 1);
      expect(harness.socket.terminated).toBe(true);
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

  it('is not confused with a later or unrelated failure', () => {
    expect(
      new SessionHarness().open().say(admitted, error('session_failed', 'out of memory')).session
        .phase,
    ).toBe('closing');
    expect(new SessionHarness().open().say(admitted).wait(6_000).say(refusal).session.phase).toBe(
      'closing',
    );
    expect(new SessionHarness().live().say(refusal).session.phase).toBe('closing');
    const other = new SessionHarness().open().say(admitted, error('odd', 'worker answered 403'));
    expect(other.session.phase).toBe('configuring');
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

describe('finding out the dialect', () => {
  it('begins with unified, and remembers the dialect of the created session', () => {
    const harness = new SessionHarness().open().say(admitted);
    expect(harness.remembered).toEqual([]);
    harness.say(created, created);
    expect(harness.remembered).toEqual(['unified']);
  });

  it.each(['unknown_event', 'invalid_event', 'invalid_payload', 'missing_field'])(
    'tries the other on the same connection after %s, without reporting an error',
    (code) => {
      const harness = new SessionHarness().open().say(admitted, error(code), created);
      expect(harness.asks).toEqual(['configure unified 0', 'configure legacy 0']);
      expect(harness.emittedOf('error')).toEqual([]);
      expect(harness.remembered).toEqual(['legacy']);
    },
  );

  it('takes silence for a deployed legacy server, and tries it on a new connection', () => {
    const harness = new SessionHarness().open().say(admitted).wait(19_999);
    expect(harness.sockets.lines).toHaveLength(1);
    harness.wait(1);
    expect(harness.sockets.lines[0]?.terminated).toBe(true);
    harness.live();
    expect(harness.asks).toEqual(['configure unified 0', 'configure legacy 1']);
    expect(harness.remembered).toEqual(['legacy']);
  });

  it('learns in which form the server reads a voice, and uses a known form', () => {
    const settings = { voice: { model: new Float32Array(8) } };
    const formsOf = ({ asked }: SessionHarness) =>
      asked.map(({ ask }) => (ask.kind === 'configure' ? ask.voiceForm : undefined));
    const silent = new SessionHarness({ settings }).open().say(admitted).wait(20_000).live();
    expect([silent.voiceForms, formsOf(silent)]).toEqual([['float32'], [undefined, 'float32']]);
    const told = new SessionHarness({ settings })
      .open()
      .say(admitted, error('unknown_event'), created);
    expect([told.voiceForms, formsOf(told)]).toEqual([['wav'], [undefined, 'wav']]);
    const slow = new SessionHarness({ settings, rememberedDialect: 'legacy' });
    slow.open().say(admitted).wait(20_000).open().say(admitted, error('unknown_event'), created);
    expect(slow.voiceForms).toEqual(['wav']);
    const known = new SessionHarness({
      settings,
      rememberedDialect: 'legacy',
      voiceForm: 'float32',
    }).live();
    expect([known.voiceForms, formsOf(known)]).toEqual([[undefined], ['float32']]);
    const voiceless = new SessionHarness({
      rememberedDialect: 'legacy',
      voiceForm: 'float32',
    }).live();
    expect(formsOf(voiceless)).toEqual([undefined]);
    const unified = new SessionHarness({ settings, voiceForm: 'float32' }).live();
    expect(formsOf(unified)).toEqual([undefined]);
  });

  it.each([
    ['a backend_error', (harness: SessionHarness) => harness.say(closed('backend_error'))],
    ['a close', (harness: SessionHarness) => harness.close(1000)],
  ])('leaves a remembered legacy dialect after %s right after session.update', (_, refuse) => {
    const harness = new SessionHarness({ rememberedDialect: 'legacy' }).open().say(admitted);
    refuse(harness).live();
    expect(harness.asks).toEqual(['configure legacy 0', 'configure unified 1']);
    expect(harness.remembered).toEqual(['unified']);
  });

  it('does not take a late or unrelated failure for the wrong dialect', () => {
    const late = new SessionHarness({ rememberedDialect: 'legacy' })
      .open()
      .say(admitted)
      .wait(6_000);
    expect(late.say(closed('backend_error')).session.phase).toBe('closing');
    const cut = new SessionHarness({ rememberedDialect: 'legacy' })
      .open()
      .say(admitted)
      .close(1006);
    expect(cut.closed).toMatchObject({ error: sessionError('connection_lost'), by: 'network' });
    const init = new SessionHarness()
      .open()
      .say(admitted, closed('backend_error', 'no GPU'))
      .close(1000);
    expect(init.closed?.error.detail).toBe('no GPU');
  });

  it.each([
    ['invalid_payload', 'unknown_event'],
    ['unknown_event', 'invalid_payload'],
  ])('ends after the errors %s and %s, with the more specific reason', (...codes) => {
    const harness = new SessionHarness().open().say(admitted, ...codes.map((code) => error(code)));
    expect(harness.asks).toEqual(['configure unified 0', 'configure legacy 0']);
    const known = sessionError('invalid_payload', 'said so');
    expect(harness.emittedOf('error')).toMatchObject([{ error: known, fatal: true }]);
    expect(harness.close(1000).closed).toMatchObject({ error: known, by: 'server' });
  });

  it.each([
    ['invalid_payload', sessionError('invalid_payload', 'said so')],
    // The server speaks only the first dialect, in which it was silent.
    ['unknown_event', appError('sessionNotCreated')],
  ])('ends after silence and the error %s, with the more specific reason', (code, expected) => {
    const harness = new SessionHarness().open().say(admitted).wait(20_000);
    harness.open().say(admitted, error(code)).wait(61_000);
    expect(harness.closed?.error).toEqual(expected);
  });

  it('returns to unified if the slow server turns out to speak unified', () => {
    const harness = new SessionHarness().open().say(admitted).wait(20_000);
    harness.open().say(admitted, closed('backend_error')).live();
    expect(harness.voiceForms).toEqual([undefined]);
    expect(harness.asks).toEqual([
      'configure unified 0',
      'configure legacy 1',
      'configure unified 2',
    ]);
    expect(harness.session.phase).toBe('live');
  });

  it('ends after three attempts with a server that never answers', () => {
    const harness = new SessionHarness();
    for (let attempt = 0; attempt < 2; attempt += 1) harness.open().say(admitted).wait(20_000);
    harness.open().say(admitted).wait(61_000);
    expect(harness.asks).toEqual([
      'configure unified 0',
      'configure legacy 1',
      'configure unified 2',
    ]);
    expect(harness.closed).toMatchObject({
      error: sessionError('not_created'),
      by: 'server',
      orderly: false,
    });
  });

  it.each(['unified', 'legacy'] as const)('never leaves %s when it is forced', (dialect) => {
    const refused = new SessionHarness({ dialect }).open().say(admitted, error('unknown_event'));
    expect(refused.session.phase).toBe('closing');
    const ended = new SessionHarness({ dialect })
      .open()
      .say(admitted, closed('backend_error'))
      .close(1000);
    expect(ended.closed?.error.code).toBe('otherDialectHint');
    const cut = new SessionHarness({ dialect }).open().say(admitted).close(1006);
    expect(cut.closed?.error.code).toBe('connectionLost');
    const silent = new SessionHarness({ dialect }).open().say(admitted).wait(62_000);
    expect(silent.closed?.error.cause?.code).toBe('sessionNotCreated');
    for (const { asks } of [refused, ended, silent])
      expect(asks).toEqual([`configure ${dialect} 0`]);
  });

  it('reports within seconds that a legacy server has no chat, unless the server was upgraded since', () => {
    const silent = chat({ rememberedDialect: 'legacy' }).open().say(admitted).wait(6000);
    expect(silent.closed?.error.code).toBe('noChatInLegacy');
    const renewed = chat({ rememberedDialect: 'legacy' }).open().say(admitted).wait(2900);
    expect(renewed.say(created).session.phase).toBe('live');
    expect(renewed.remembered).toEqual(['unified']);
  });

  it('never uses legacy for chat', () => {
    const silent = chat().open().say(admitted).wait(19_999);
    expect(silent.session.phase).toBe('configuring');
    silent.wait(1001);
    const refused = chat().open().say(admitted, error('unknown_event')).wait(3000);
    const unsuitable = chat().open().say(admitted, error('invalid_payload')).wait(3000);
    expect(unsuitable.closed?.error).toEqual(sessionError('invalid_payload', 'said so'));
    for (const { asks, closed } of [silent, refused]) {
      expect(asks).toEqual(['configure unified 0']);
      expect(closed?.error.code).toBe('noChatInLegacy');
    }
  });

  it('waits longer for chat if the server spoke unified before, or if unified is forced', () => {
    const known = chat({ rememberedDialect: 'unified' }).open().say(admitted);
    const forced = chat({ dialect: 'unified' }).open().say(admitted);
    for (const harness of [known, forced]) {
      expect(harness.wait(59_000).session.phase).toBe('configuring');
      expect(harness.wait(4000).closed?.error.code).toBe('sessionNotCreated');
    }
  });
});
