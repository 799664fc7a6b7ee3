import { describe, expect, it } from 'vitest';
import { sessionError } from '../../../../../shared/errors/session-reasons.ts';
import { admitted, closed, created, error } from './server-events.ts';
import { chat, Scene } from './session-scene.ts';

describe('finding out the dialect', () => {
  it('begins with unified, and remembers the dialect of the created session', () => {
    const scene = new Scene().open().say(admitted);
    expect(scene.remembered).toEqual([]);
    scene.say(created, created);
    expect(scene.remembered).toEqual(['unified']);
  });

  it('begins with the remembered dialect', () => {
    const scene = new Scene({ rememberedDialect: 'legacy' }).live();
    expect(scene.asks).toEqual(['configure legacy 0']);
    expect(scene.remembered).toEqual(['legacy']);
  });

  it.each(['unknown_event', 'invalid_event', 'invalid_payload', 'missing_field'])(
    'tries the other on the same connection after %s, without reporting an error',
    (code) => {
      const scene = new Scene().open().say(admitted, error(code), created);
      expect(scene.asks).toEqual(['configure unified 0', 'configure legacy 0']);
      expect(scene.emittedOf('error')).toEqual([]);
      expect(scene.remembered).toEqual(['legacy']);
    },
  );

  it('takes silence for a deployed legacy server, and tries it on a new connection', () => {
    const scene = new Scene().open().say(admitted).wait(19_999);
    expect(scene.sockets.lines).toHaveLength(1);
    scene.wait(1);
    expect(scene.sockets.lines[0]?.terminated).toBe(true);
    scene.live();
    expect(scene.asks).toEqual(['configure unified 0', 'configure legacy 1']);
    expect(scene.remembered).toEqual(['legacy']);
  });

  it('infers how the server reads a voice, and uses a known voice form', () => {
    const settings = { voice: { model: new Float32Array(8) } };
    const formsOf = ({ asked }: Scene) =>
      asked.map(({ ask }) => (ask.kind === 'configure' ? ask.voiceForm : undefined));
    const silent = new Scene({ settings }).open().say(admitted).wait(20_000).live();
    expect([silent.voiceForms, formsOf(silent)]).toEqual([['float32'], [undefined, 'float32']]);
    const told = new Scene({ settings }).open().say(admitted, error('unknown_event'), created);
    expect([told.voiceForms, formsOf(told)]).toEqual([['wav'], [undefined, 'wav']]);
    const known = new Scene({ settings, rememberedDialect: 'legacy', voiceForm: 'float32' }).live();
    expect([known.voiceForms, formsOf(known)]).toEqual([[undefined], ['float32']]);
    const voiceless = new Scene({ rememberedDialect: 'legacy', voiceForm: 'float32' }).live();
    expect(formsOf(voiceless)).toEqual([undefined]);
    const unified = new Scene({ settings, voiceForm: 'float32' }).live();
    expect(formsOf(unified)).toEqual([undefined]);
  });

  it('never sends session.update on the connection of a slow session.init', () => {
    const scene = new Scene().open().say(admitted).wait(60_000).say(created);
    expect(scene.asks).toEqual(['configure unified 0']);
  });

  it('returns to unified if the slow server turns out to speak it', () => {
    const scene = new Scene().open().say(admitted).wait(20_000);
    scene.open().say(admitted, closed('backend_error')).live();
    expect(scene.asks).toEqual([
      'configure unified 0',
      'configure legacy 1',
      'configure unified 2',
    ]);
    expect(scene.session.phase).toBe('live');
  });

  it.each([
    ['a backend_error', (scene: Scene) => scene.say(closed('backend_error'))],
    ['a close', (scene: Scene) => scene.close(1000)],
  ])('leaves a remembered legacy after %s right after session.update', (_, refuse) => {
    const scene = new Scene({ rememberedDialect: 'legacy' }).open().say(admitted);
    refuse(scene).live();
    expect(scene.asks).toEqual(['configure legacy 0', 'configure unified 1']);
    expect(scene.remembered).toEqual(['unified']);
  });

  it('does not take a late or unrelated failure for the wrong dialect', () => {
    const late = new Scene({ rememberedDialect: 'legacy' }).open().say(admitted).wait(6_000);
    expect(late.say(closed('backend_error')).session.phase).toBe('closing');
    const cut = new Scene({ rememberedDialect: 'legacy' }).open().say(admitted).close(1006);
    expect(cut.closed).toMatchObject({ error: sessionError('connection_lost'), by: 'network' });
    const init = new Scene().open().say(admitted, closed('backend_error', 'no GPU')).close(1000);
    expect(init.closed?.error.detail).toBe('no GPU');
  });

  it('ends after both were refused, with the more specific reason', () => {
    const scene = new Scene()
      .open()
      .say(admitted, error('invalid_payload', 'the voice is no PCM'), error('unknown_event'))
      .close(1000);
    expect(scene.asks).toEqual(['configure unified 0', 'configure legacy 0']);
    expect(scene.closed).toMatchObject({
      error: sessionError('invalid_payload', 'the voice is no PCM'),
      by: 'server',
    });
  });

  it('ends after three attempts with a server that never answers', () => {
    const scene = new Scene();
    for (let attempt = 0; attempt < 2; attempt += 1) scene.open().say(admitted).wait(20_000);
    scene.open().say(admitted).wait(61_000);
    expect(scene.asks).toEqual([
      'configure unified 0',
      'configure legacy 1',
      'configure unified 2',
    ]);
    expect(scene.closed).toMatchObject({
      error: sessionError('not_created'),
      by: 'server',
      orderly: false,
    });
  });

  it.each(['unified', 'legacy'] as const)('never leaves %s when it is forced', (dialect) => {
    const refused = new Scene({ dialect }).open().say(admitted, error('unknown_event'));
    expect(refused.session.phase).toBe('closing');
    const ended = new Scene({ dialect }).open().say(admitted, closed('backend_error')).close(1000);
    expect(ended.closed?.error.code).toBe('otherDialectHint');
    const silent = new Scene({ dialect }).open().say(admitted).wait(62_000);
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

  it('reports at once that a legacy server has no chat, unless it has it now', () => {
    const silent = chat({ rememberedDialect: 'legacy' }).open().say(admitted).wait(6000);
    expect(silent.closed?.error.code).toBe('noChatInLegacy');
    const renewed = chat({ rememberedDialect: 'legacy' }).open().say(admitted).wait(2900);
    expect(renewed.say(created).session.phase).toBe('live');
    expect(renewed.remembered).toEqual(['unified']);
  });

  it('waits longer for chat if the server spoke unified, or must', () => {
    const known = chat({ rememberedDialect: 'unified' }).open().say(admitted);
    const forced = chat({ dialect: 'unified' }).open().say(admitted);
    for (const scene of [known, forced]) {
      expect(scene.wait(59_000).session.phase).toBe('configuring');
      expect(scene.wait(4000).closed?.error.code).toBe('sessionNotCreated');
    }
  });
});
