import { describe, expect, it } from 'vitest';
import { sessionError } from '../../../../../shared/errors/session-reasons.ts';
import { admitted, closed, created, error } from './server-events.ts';
import { chat, SessionHarness } from './session-harness.ts';

describe('finding out the dialect', () => {
  it('begins with unified, and remembers the dialect of the created session', () => {
    const harness = new SessionHarness().open().say(admitted);
    expect(harness.remembered).toEqual([]);
    harness.say(created, created);
    expect(harness.remembered).toEqual(['unified']);
  });

  it('begins with the remembered dialect', () => {
    const harness = new SessionHarness({ rememberedDialect: 'legacy' }).live();
    expect(harness.asks).toEqual(['configure legacy 0']);
    expect(harness.remembered).toEqual(['legacy']);
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

  it('infers how the server reads a voice, and uses a known voice form', () => {
    const settings = { voice: { model: new Float32Array(8) } };
    const formsOf = ({ asked }: SessionHarness) =>
      asked.map(({ ask }) => (ask.kind === 'configure' ? ask.voiceForm : undefined));
    const silent = new SessionHarness({ settings }).open().say(admitted).wait(20_000).live();
    expect([silent.voiceForms, formsOf(silent)]).toEqual([['float32'], [undefined, 'float32']]);
    const told = new SessionHarness({ settings })
      .open()
      .say(admitted, error('unknown_event'), created);
    expect([told.voiceForms, formsOf(told)]).toEqual([['wav'], [undefined, 'wav']]);
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

  it('never sends session.update on the connection of a slow session.init', () => {
    const harness = new SessionHarness().open().say(admitted).wait(60_000).say(created);
    expect(harness.asks).toEqual(['configure unified 0']);
  });

  it('returns to unified if the slow server turns out to speak it', () => {
    const harness = new SessionHarness().open().say(admitted).wait(20_000);
    harness.open().say(admitted, closed('backend_error')).live();
    expect(harness.asks).toEqual([
      'configure unified 0',
      'configure legacy 1',
      'configure unified 2',
    ]);
    expect(harness.session.phase).toBe('live');
  });

  it.each([
    ['a backend_error', (harness: SessionHarness) => harness.say(closed('backend_error'))],
    ['a close', (harness: SessionHarness) => harness.close(1000)],
  ])('leaves a remembered legacy after %s right after session.update', (_, refuse) => {
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

  it('ends after both were refused, with the more specific reason', () => {
    const harness = new SessionHarness()
      .open()
      .say(admitted, error('invalid_payload', 'the voice is no PCM'), error('unknown_event'))
      .close(1000);
    expect(harness.asks).toEqual(['configure unified 0', 'configure legacy 0']);
    expect(harness.closed).toMatchObject({
      error: sessionError('invalid_payload', 'the voice is no PCM'),
      by: 'server',
    });
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
    const silent = new SessionHarness({ dialect }).open().say(admitted).wait(62_000);
    expect(silent.closed?.error.cause?.code).toBe('sessionNotCreated');
    for (const { asks } of [refused, ended, silent])
      expect(asks).toEqual([`configure ${dialect} 0`]);
  });

  it('never uses legacy for chat', () => {
    const silent = chat().open().say(admitted).wait(23_000);
    const refused = chat().open().say(admitted, error('unknown_event')).wait(3000);
    for (const { asks, closed } of [silent, refused]) {
      expect(asks).toEqual(['configure unified 0']);
      expect(closed?.error.code).toBe('noChatInLegacy');
    }
  });

  it('reports within seconds that a legacy server has no chat, unless it has it now', () => {
    const silent = chat({ rememberedDialect: 'legacy' }).open().say(admitted).wait(6000);
    expect(silent.closed?.error.code).toBe('noChatInLegacy');
    const renewed = chat({ rememberedDialect: 'legacy' }).open().say(admitted).wait(2900);
    expect(renewed.say(created).session.phase).toBe('live');
    expect(renewed.remembered).toEqual(['unified']);
  });

  it('waits longer for chat if the server spoke unified, or must', () => {
    const known = chat({ rememberedDialect: 'unified' }).open().say(admitted);
    const forced = chat({ dialect: 'unified' }).open().say(admitted);
    for (const harness of [known, forced]) {
      expect(harness.wait(59_000).session.phase).toBe('configuring');
      expect(harness.wait(4000).closed?.error.code).toBe('sessionNotCreated');
    }
  });
});
