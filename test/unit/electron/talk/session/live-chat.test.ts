import { describe, expect, it } from 'vitest';
import { sessionError } from '../../../../../shared/errors/session-reasons.ts';
import type { DoneEvent } from '../../../../../shared/protocol/realtime-api.ts';
import { error, sound, text } from './server-events.ts';
import { chat, SessionHarness } from './session-harness.ts';

const question = { messages: [{ role: 'user', content: 'Hello' }] } as const;

function done(words: string, audio?: Float32Array): DoneEvent {
  return { kind: 'done', text: words, reason: 'turn_end', audio };
}

describe('chat', () => {
  it('asks when it is live, one question at a time', () => {
    const harness = chat();
    harness.session.ask(question);
    harness.session.ask({ messages: [{ role: 'user', content: 'And?' }] });
    expect(harness.open().socket.sent).toEqual([]);
    harness.live();
    expect(harness.questions).toMatchObject([{ kind: 'chat', ...question }]);
    harness.say(text('He'), text('llo'), done('Hello'));
    expect(harness.questions).toHaveLength(2);
    harness.say(text('What?'), done('What?'));
    expect(harness.emittedOf('text').map(({ turn, text }) => [turn, text])).toEqual([
      [1, 'He'],
      [1, 'llo'],
      [2, 'What?'],
    ]);
    expect(harness.emittedOf('done').map(({ text, reason }) => [text, reason])).toEqual([
      ['Hello', 'turn_end'],
      ['What?', 'turn_end'],
    ]);
    expect(harness.asks).toEqual(['configure unified 0', 'chat unified 0', 'chat unified 0']);
  });

  it('plays sound once if it is streamed and repeated at the end', () => {
    const harness = chat().live();
    harness.session.ask(question);
    harness.say(sound(), done('Hello', new Float32Array(48_000)));
    expect(harness.emittedOf('audio').map(({ turn, audio }) => [turn, audio.length])).toEqual([
      [1, 24_000],
    ]);
  });

  it('waits for sound that the C++ server sends after the end, before the next question', () => {
    const harness = chat().live();
    const spoken = { ...question, speech: { enabled: true } };
    harness.session.ask(spoken);
    harness.session.ask(spoken);
    const first = { responseId: 's_resp_1' };
    harness.say({ ...text('Hello'), ...first }, { ...done(''), ...first });
    harness.wait(700);
    harness.say({ ...sound(), ...first }, { ...done(''), ...first });
    harness.wait(1400);
    harness.say({ ...sound(), responseId: 's_resp_1' });
    expect(harness.questions).toHaveLength(1);
    harness.wait(1600);
    expect(harness.questions).toHaveLength(2);
    expect(harness.emittedOf('audio').map(({ turn }) => turn)).toEqual([1, 1]);
    expect(harness.emittedOf('done')).toMatchObject([{ text: 'Hello', reason: 'turn_end' }]);
    // A connection lost while waiting for sound does not truncate the answer.
    harness.say({ ...text('Yes'), ...first }, { ...done('Yes'), responseId: 's_resp_2' });
    harness.close(1006);
    expect(harness.emittedOf('done')).toMatchObject([{ text: 'Hello' }, { text: 'Yes' }]);
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
    const harness = chat().live();
    harness.session.ask(asked);
    const inputId = 'inputId' in about ? harness.questions[0]?.inputId : undefined;
    harness.say({ ...done('Hello'), responseId: about.responseId, inputId });
    expect(harness.emittedOf('done')).toHaveLength(1);
  });

  it('emits the whole answer at once without streaming', () => {
    const harness = chat().live();
    harness.session.ask({ ...question, streaming: false });
    harness.say(done('Hello', new Float32Array(48_000)));
    expect(harness.emittedOf('audio').map(({ turn, audio }) => [turn, audio.length])).toEqual([
      [1, 48_000],
    ]);
    expect(harness.emittedOf('done')).toMatchObject([{ text: 'Hello' }]);
  });

  it('uses the streamed text if the end has none', () => {
    const harness = chat().live();
    harness.session.ask(question);
    harness.say(text('Hel'), text('lo'), { kind: 'done', text: '' });
    expect(harness.emittedOf('done')).toMatchObject([{ text: 'Hello', reason: 'turn_end' }]);
  });

  it('continues after a failed turn, and recognizes its late parts by our id', () => {
    const harness = chat().live();
    harness.session.ask(question);
    harness.session.ask(question);
    harness.say(text('He'), error('inference_error'));
    const [first] = harness.questions;
    harness.say({ ...text('llo'), inputId: first?.inputId }, text('Yes'), done('Yes'));
    expect(harness.emittedOf('done')).toMatchObject([
      { text: 'He', reason: 'inference_error' },
      { text: 'Yes', reason: 'turn_end' },
    ]);
    expect(harness.emittedOf('text').map(({ text }) => text)).toEqual(['He', 'Yes']);
    expect(harness.emittedOf('error')).toMatchObject([{ fatal: false }]);
  });

  it('recognizes late parts of a failed answer by the server’s id as well', () => {
    const harness = chat().live();
    harness.session.ask(question);
    harness.session.ask(question);
    const of = (responseId: string, words: string) => ({ ...text(words), responseId });
    harness.say(of('r1', 'He'), error('inference_error'), of('r1', 'llo'), of('r2', 'Yes'));
    harness.say({ ...done('Hello'), responseId: 'r1' }, { ...done('Yes'), responseId: 'r2' });
    expect(harness.emittedOf('text').map(({ text }) => text)).toEqual(['He', 'Yes']);
    expect(harness.emittedOf('done')).toMatchObject([
      { text: 'He', reason: 'inference_error' },
      { text: 'Yes', reason: 'turn_end' },
    ]);
  });

  it('accepts all answers of a server that reuses one id', () => {
    const harness = chat().live();
    for (const words of ['One', 'Two']) {
      harness.session.ask(question);
      harness.say({ ...text(words), responseId: 'r' }, { ...done(words), responseId: 'r' });
    }
    expect(harness.emittedOf('done')).toMatchObject([{ text: 'One' }, { text: 'Two' }]);
  });

  it('ignores sound and interruptions', () => {
    const harness = chat().live().speak(3);
    harness.session.interrupt();
    expect(harness.asks).toEqual(['configure unified 0']);
  });

  it('sends nothing while paused', () => {
    const harness = chat().live();
    harness.session.pause();
    harness.session.ask(question);
    expect(harness.questions).toEqual([]);
    harness.session.resume();
    expect(harness.questions).toHaveLength(1);
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
    const harness = chat().live();
    harness.session.ask(question);
    harness.say(text('Hel')).wait(59_000);
    expect(harness.session.phase).toBe('live');
    expect(harness.wait(1_000).session.phase).toBe('closing');
  });

  it('waits for the user without a limit, even after an answer', () => {
    const harness = chat().live();
    harness.session.ask(question);
    expect(harness.say(done('Hello')).wait(3_600_000).session.phase).toBe('live');
  });

  it('is rejected in spoken sessions', () => {
    const harness = new SessionHarness().live();
    harness.session.ask(question);
    expect(harness.emittedOf('error')).toMatchObject([
      { error: { code: 'notChat' }, fatal: false },
    ]);
    expect(harness.asks).toEqual(['configure unified 0']);
  });
});
