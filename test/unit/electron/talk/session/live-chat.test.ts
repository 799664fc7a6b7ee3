import { describe, expect, it } from 'vitest';
import { appError, sessionError } from '../../../../../shared/errors/app-error.ts';
import { closed, created, error, listen, sound, text, chat } from './session-harness.ts';
import { OpenThreadHarness, done, words } from '../../chat/open-thread-harness.ts';

const question = { messages: [{ role: 'user', content: 'Hello' }] } as const;

describe('chat', () => {
  it('asks only in a live session, one question at a time', () => {
    const harness = chat();
    harness.session.ask(question);
    harness.session.ask({ messages: [{ role: 'user', content: 'And?' }] });
    expect(harness.open().socket.sent).toEqual([]);
    harness.live();
    expect(harness.questions).toMatchObject([{ kind: 'chat', ...question }]);
    harness.say(text('He'), listen(), text('llo'), done('Hello'));
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

  it('waits for sound that the C++ server sends after the end, before the next question', () => {
    const harness = chat().live();
    const spoken = { ...question, speech: { enabled: true } };
    for (let count = 0; count < 3; count += 1) harness.session.ask(spoken);
    const first = { responseId: 's_resp_1' };
    harness.say({ ...text('Hello'), ...first }, { ...done(''), ...first });
    harness.wait(700);
    harness.say({ ...sound(), ...first }, { ...done('Late'), ...first });
    harness.wait(1400);
    harness.say({ ...sound(), responseId: 's_resp_1' });
    expect(harness.questions).toHaveLength(1);
    harness.wait(1600);
    expect(harness.questions).toHaveLength(2);
    expect(harness.emittedOf('audio').map(({ turn }) => turn)).toEqual([1, 1]);
    expect(harness.emittedOf('done')).toMatchObject([{ text: 'Hello', reason: 'turn_end' }]);
    harness.say({ ...done('Yes'), responseId: 's_resp_2' }).wait(1500);
    expect(harness.questions).toHaveLength(3);
    // A connection lost while waiting for sound does not truncate the answer.
    harness.say({ ...done('No'), responseId: 's_resp_3' }).close(1006);
    expect(harness.emittedOf('done').map(({ text }) => text)).toEqual(['Hello', 'Yes', 'No']);
  });

  it.each([
    ['the session', closed('backend_error')],
    ['the session with an error', error('session_failed')],
  ])('keeps an answer that lacks only its sound if the server ends %s', (_how, end) => {
    const harness = chat().live();
    harness.session.ask({ ...question, speech: { enabled: true } });
    harness.say({ ...done('Hello'), responseId: 's_resp_1' }, end).close(1000);
    expect(harness.emittedOf('done')).toMatchObject([{ text: 'Hello', reason: 'turn_end' }]);
    expect(harness.emitted.at(-1)).toMatchObject({ event: 'closed', by: 'server' });
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
  ])('ends an answer without waiting for late sound if %s', (_why, asked, about) => {
    const harness = chat().live();
    harness.session.ask(asked);
    const inputId = 'inputId' in about ? harness.questions[0]?.inputId : undefined;
    harness.say({ ...done('Hello'), responseId: about.responseId, inputId });
    expect(harness.emittedOf('done')).toHaveLength(1);
  });

  it('emits the whole answer at once if streaming is off', () => {
    const harness = chat().live();
    harness.session.ask({ ...question, streaming: false });
    harness.say(done('Hello', new Float32Array(48_000)));
    expect(harness.emittedOf('audio').map(({ turn, audio }) => [turn, audio.length])).toEqual([
      [1, 48_000],
    ]);
    expect(harness.emittedOf('done')).toMatchObject([{ text: 'Hello' }]);
  });

  it('emits sound only once if the end event repeats the streamed sound', () => {
    const harness = chat().live();
    harness.session.ask(question);
    harness.session.ask(question);
    harness.say(sound(), done('Hello', new Float32Array(48_000)));
    harness.say(text('Yes'), { ...done('Yes', new Float32Array(48_000)), repairedSamples: 1 });
    expect(harness.emittedOf('error')).toHaveLength(1);
    expect(harness.emittedOf('audio').map(({ turn, audio }) => [turn, audio.length])).toEqual([
      [1, 24_000],
      [2, 48_000],
    ]);
    expect(harness.emittedOf('text')).toHaveLength(1);
  });

  it('uses the streamed text if the end event has no text', () => {
    const harness = chat().live();
    harness.session.ask(question);
    harness.say(text('Hel'), text('lo'), { kind: 'done', text: '' });
    expect(harness.emittedOf('done')).toMatchObject([{ text: 'Hello', reason: 'turn_end' }]);
  });

  it('continues after a failed turn, and recognizes late parts of that turn by our id', () => {
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
    const answered = chat().live();
    answered.session.ask(question);
    expect(answered.say(done('Hi')).wait(3_600_000).session.phase).toBe('live');
  });

  it('sends nothing while paused', () => {
    const harness = chat().live();
    harness.session.pause();
    harness.session.ask(question);
    expect(harness.questions).toEqual([]);
    harness.session.resume();
    expect(harness.questions).toHaveLength(1);
  });

  it('gives up a server sooner after it has streamed something', () => {
    const harness = chat().live();
    harness.session.ask(question);
    harness.say(text('Hel')).wait(59_000);
    expect(harness.session.phase).toBe('live');
    expect(harness.wait(1_000).session.phase).toBe('closing');
  });
});

describe('a failed answer', () => {
  it.each([
    ['invalid_payload', appError('answerRefused', { code: 'invalid_payload' })],
    ['missing_field', appError('answerRefused', { code: 'missing_field' })],
    ['unknown_event', appError('answerRefused', { code: 'unknown_event' })],
    ['context_full', appError('answerMemory')],
    ['inference_error', appError('answerFailed', { code: 'inference_error' })],
    ['odd', appError('answerUnfinished', { code: 'odd' })],
  ])('is marked in its turn after %s, and the question can be asked again', (code, known) => {
    const harness = new OpenThreadHarness();
    harness.chat.send(words('Hello'));
    harness.live().say(text('He'), error(code, 'out of luck'));
    const reported = { ...known, detail: 'out of luck' };
    expect(harness.answer.state).toEqual({ kind: 'failed', error: reported });
    expect(harness.answer.text).toBe('He');
    harness.chat.retry(harness.answer.id);
    harness.say(done('Hello'));
    expect(harness.answer).toMatchObject({ text: 'Hello', state: { kind: 'done' } });
    expect(harness.sockets.lines).toHaveLength(1);
  });

  it('is reported if there is no connection, without an automatic retry', () => {
    const harness = new OpenThreadHarness();
    harness.chat.send(words('Hello'));
    harness.sockets.line.end({ kind: 'refused', status: 401, body: '' });
    expect(harness.answer.state).toMatchObject({
      kind: 'failed',
      error: { code: expect.stringMatching(/^refused/u) as string },
    });
    harness.clock.advance(600_000);
    expect(harness.sockets.lines).toHaveLength(1);
    expect(harness.turns[0]).toMatchObject({ parts: words('Hello') });
  });

  it('does not occur if the session ends at the moment of the question', () => {
    const harness = new OpenThreadHarness();
    harness.exchange('One', '1');
    harness.chat.send(words('Two'));
    harness.sockets.line.end({ kind: 'closed', code: 1006, reason: '' });
    expect(harness.answer.state).toEqual({ kind: 'streaming' });
    harness.live().say(done('2'));
    expect(harness.answer).toMatchObject({ text: '2', state: { kind: 'done' } });
    expect(harness.questions).toHaveLength(3);
    harness.say(closed('backend_error'));
    harness.chat.send(words('Three'));
    harness.live().say(done('3'));
    expect(harness.answer).toMatchObject({ text: '3', state: { kind: 'done' } });
  });

  it('is reported if the question may be the cause, or the new session ends as well', () => {
    const blamed = new OpenThreadHarness();
    blamed.exchange('One', '1');
    blamed.chat.send(words('Two'));
    blamed.say({ kind: 'closed', reason: 'backend_error' });
    blamed.clock.advance(5000);
    expect(blamed.answer.state).toMatchObject({ kind: 'failed' });
    const twice = new OpenThreadHarness();
    twice.exchange('One', '1');
    twice.chat.send(words('Two'));
    twice.sockets.line.end({ kind: 'closed', code: 1006, reason: '' });
    twice.live();
    twice.sockets.line.end({ kind: 'closed', code: 1006, reason: '' });
    expect(twice.answer.state).toMatchObject({ kind: 'failed' });
    expect(twice.sockets.lines).toHaveLength(2);
  });
});

describe('the chat connection', () => {
  it('shows its place in the queue', () => {
    const harness = new OpenThreadHarness();
    harness.chat.send(words('Hello'));
    harness.sockets.line.open();
    const place = { position: 2, length: 3, etaSeconds: 40 };
    harness.say({ kind: 'queued', stage: 'joined', ...place }, { kind: 'admitted' }, created);
    expect(harness.patchesOf('line').map(({ line }) => line)).toEqual([
      { phase: 'connecting' },
      { phase: 'queued' },
      { phase: 'queued', ...place },
      { phase: 'connecting' },
      { phase: 'ready' },
    ]);
  });

  it('closes after two idle minutes, and opens again with the next question', () => {
    const harness = new OpenThreadHarness();
    harness.exchange('One', '1');
    harness.clock.advance(119_000);
    expect(harness.sockets.line.state).toBe('open');
    harness.clock.advance(10_000);
    expect(harness.sockets.line.state).toBe('ended');
    expect(harness.patchesOf('line').at(-1)?.line).toEqual({ phase: 'idle' });
    harness.chat.send(words('Two'));
    harness.live().say(done('2'));
    expect(harness.answer).toMatchObject({ text: '2' });
  });
});
