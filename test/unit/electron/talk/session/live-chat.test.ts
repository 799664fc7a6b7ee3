import { describe, expect, it } from 'vitest';
import { sessionError } from '../../../../../shared/errors/session-reasons.ts';
import type { DoneEvent } from '../../../../../shared/protocol/server-event.ts';
import { error, sound, text } from './server-events.ts';
import { chat, Scene } from './session-scene.ts';

const question = { messages: [{ role: 'user', content: 'Hello' }] } as const;

function done(words: string, audio?: Float32Array): DoneEvent {
  return { kind: 'done', text: words, reason: 'turn_end', audio };
}

describe('chat', () => {
  it('asks when it is live, one question at a time', () => {
    const scene = chat();
    scene.session.ask(question);
    scene.session.ask({ messages: [{ role: 'user', content: 'And?' }] });
    expect(scene.open().socket.sent).toEqual([]);
    scene.live();
    expect(scene.questions).toMatchObject([{ kind: 'chat', ...question }]);
    scene.say(text('He'), text('llo'), done('Hello'));
    expect(scene.questions).toHaveLength(2);
    scene.say(text('What?'), done('What?'));
    expect(scene.emittedOf('text').map(({ turn, text }) => [turn, text])).toEqual([
      [1, 'He'],
      [1, 'llo'],
      [2, 'What?'],
    ]);
    expect(scene.emittedOf('done').map(({ text, reason }) => [text, reason])).toEqual([
      ['Hello', 'turn_end'],
      ['What?', 'turn_end'],
    ]);
    expect(scene.asks).toEqual(['configure unified 0', 'chat unified 0', 'chat unified 0']);
  });

  it('plays sound once if it is streamed and repeated at the end', () => {
    const scene = chat().live();
    scene.session.ask(question);
    scene.say(sound(), done('Hello', new Float32Array(48_000)));
    expect(scene.emittedOf('audio').map(({ turn, audio }) => [turn, audio.length])).toEqual([
      [1, 24_000],
    ]);
  });

  it('waits for sound that the C++ server sends after the end, before the next question', () => {
    const scene = chat().live();
    const spoken = { ...question, speech: { enabled: true } };
    scene.session.ask(spoken);
    scene.session.ask(spoken);
    const first = { responseId: 's_resp_1' };
    scene.say({ ...text('Hello'), ...first }, { ...done(''), ...first });
    scene.wait(700);
    scene.say({ ...sound(), ...first }, { ...done(''), ...first });
    scene.wait(1400);
    scene.say({ ...sound(), responseId: 's_resp_1' });
    expect(scene.questions).toHaveLength(1);
    scene.wait(1600);
    expect(scene.questions).toHaveLength(2);
    expect(scene.emittedOf('audio').map(({ turn }) => turn)).toEqual([1, 1]);
    expect(scene.emittedOf('done')).toMatchObject([{ text: 'Hello', reason: 'turn_end' }]);
    // A connection lost while waiting for sound does not truncate the answer.
    scene.say({ ...text('Yes'), ...first }, { ...done('Yes'), responseId: 's_resp_2' });
    scene.close(1006);
    expect(scene.emittedOf('done')).toMatchObject([{ text: 'Hello' }, { text: 'Yes' }]);
  });

  it.each([
    ['its answers are not spoken', question, { responseId: 's_resp_1' }],
    [
      'it echoes ids',
      { ...question, speech: { enabled: true } },
      { responseId: 's_resp_1', inputId: 'echo' },
    ],
    [
      'it does not number its answers',
      { ...question, speech: { enabled: true } },
      { responseId: 'r1' },
    ],
  ])('ends an answer at once if %s', (_why, asked, about) => {
    const scene = chat().live();
    scene.session.ask(asked);
    const inputId = 'inputId' in about ? scene.questions[0]?.inputId : undefined;
    scene.say({ ...done('Hello'), responseId: about.responseId, inputId });
    expect(scene.emittedOf('done')).toHaveLength(1);
  });

  it('emits the whole answer at once without streaming', () => {
    const scene = chat().live();
    scene.session.ask({ ...question, streaming: false });
    scene.say(done('Hello', new Float32Array(48_000)));
    expect(scene.emittedOf('audio').map(({ turn, audio }) => [turn, audio.length])).toEqual([
      [1, 48_000],
    ]);
    expect(scene.emittedOf('done')).toMatchObject([{ text: 'Hello' }]);
  });

  it('uses the streamed text if the end has none', () => {
    const scene = chat().live();
    scene.session.ask(question);
    scene.say(text('Hel'), text('lo'), { kind: 'done', text: '' });
    expect(scene.emittedOf('done')).toMatchObject([{ text: 'Hello', reason: 'turn_end' }]);
  });

  it('continues after a failed turn, and recognizes its late parts by our id', () => {
    const scene = chat().live();
    scene.session.ask(question);
    scene.session.ask(question);
    scene.say(text('He'), error('inference_error'));
    const [first] = scene.questions;
    scene.say({ ...text('llo'), inputId: first?.inputId }, text('Yes'), done('Yes'));
    expect(scene.emittedOf('done')).toMatchObject([
      { text: 'He', reason: 'inference_error' },
      { text: 'Yes', reason: 'turn_end' },
    ]);
    expect(scene.emittedOf('text').map(({ text }) => text)).toEqual(['He', 'Yes']);
    expect(scene.emittedOf('error')).toMatchObject([{ fatal: false }]);
  });

  it('recognizes late parts of a failed answer by the server’s id as well', () => {
    const scene = chat().live();
    scene.session.ask(question);
    scene.session.ask(question);
    const of = (responseId: string, words: string) => ({ ...text(words), responseId });
    scene.say(of('r1', 'He'), error('inference_error'), of('r1', 'llo'), of('r2', 'Yes'));
    scene.say({ ...done('Hello'), responseId: 'r1' }, { ...done('Yes'), responseId: 'r2' });
    expect(scene.emittedOf('text').map(({ text }) => text)).toEqual(['He', 'Yes']);
    expect(scene.emittedOf('done')).toMatchObject([
      { text: 'He', reason: 'inference_error' },
      { text: 'Yes', reason: 'turn_end' },
    ]);
  });

  it('accepts all answers of a server that reuses one id', () => {
    const scene = chat().live();
    for (const words of ['One', 'Two']) {
      scene.session.ask(question);
      scene.say({ ...text(words), responseId: 'r' }, { ...done(words), responseId: 'r' });
    }
    expect(scene.emittedOf('done')).toMatchObject([{ text: 'One' }, { text: 'Two' }]);
  });

  it('ignores sound and interruptions', () => {
    const scene = chat().live().speak(3);
    scene.session.interrupt();
    expect(scene.asks).toEqual(['configure unified 0']);
  });

  it('sends nothing while paused', () => {
    const scene = chat().live();
    scene.session.pause();
    scene.session.ask(question);
    expect(scene.questions).toEqual([]);
    scene.session.resume();
    expect(scene.questions).toHaveLength(1);
  });

  it('gives up a silent server, sooner after a malformed frame', () => {
    const slow = chat().live();
    slow.session.ask(question);
    expect(slow.wait(179_000).session.phase).toBe('live');
    expect(slow.wait(1_000).session.phase).toBe('closing');
    const garbage = chat().live();
    garbage.session.ask(question);
    garbage.say({ kind: 'malformed', problem: 'p' }).wait(20_000);
    expect(garbage.wait(1_000).closed).toMatchObject({
      error: sessionError('stalled'),
      by: 'server',
    });
    expect(chat().live().wait(3_600_000).session.phase).toBe('live');
  });

  it('gives up sooner once something was streamed', () => {
    const scene = chat().live();
    scene.session.ask(question);
    scene.say(text('Hel')).wait(59_000);
    expect(scene.session.phase).toBe('live');
    expect(scene.wait(1_000).session.phase).toBe('closing');
  });

  it('waits for the user without a limit, even after an answer', () => {
    const scene = chat().live();
    scene.session.ask(question);
    expect(scene.say(done('Hello')).wait(3_600_000).session.phase).toBe('live');
  });

  it('is rejected in spoken sessions', () => {
    const scene = new Scene().live();
    scene.session.ask(question);
    expect(scene.emittedOf('error')).toMatchObject([{ error: { code: 'notChat' }, fatal: false }]);
    expect(scene.asks).toEqual(['configure unified 0']);
  });
});
