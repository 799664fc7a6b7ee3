import { describe, expect, it } from 'vitest';
import { ChatSessionHarness, done, words } from '../../chat/chat-session-harness.ts';
import { error, sound, text } from './server-events.ts';

describe('a failed answer', () => {
  it('is marked in its turn, and the question can be asked again', () => {
    const harness = new ChatSessionHarness();
    harness.chat.send(words('Hello'));
    harness.live().say(text('He'), error('inference_error', 'out of luck'));
    const { state } = harness.answer;
    expect(state).toMatchObject({
      kind: 'failed',
      error: { detail: expect.stringContaining('out of luck') as string },
    });
    expect(harness.answer.text).toBe('He');
    harness.chat.retry(harness.answer.id);
    harness.say(done('Hello'));
    expect(harness.answer).toMatchObject({ text: 'Hello', state: { kind: 'done' } });
    expect(harness.sockets.lines).toHaveLength(1);
  });

  it('is reported if there is no connection, without an automatic retry', () => {
    const harness = new ChatSessionHarness();
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

  it('does not occur if the session ended between two questions', () => {
    const harness = new ChatSessionHarness();
    harness.exchange('One', '1');
    harness.say({ kind: 'closed', reason: 'timeout' });
    harness.clock.advance(5000);
    harness.chat.send(words('Two'));
    harness.live().say(done('2'));
    expect(harness.answer).toMatchObject({ text: '2', state: { kind: 'done' } });
  });

  it('does not occur if the session is just ending for another reason', () => {
    const harness = new ChatSessionHarness();
    harness.exchange('One', '1');
    harness.say({ kind: 'closed', reason: 'backend_error' });
    harness.chat.send(words('Two'));
    harness.live().say(done('2'));
    expect(harness.answer).toMatchObject({ text: '2', state: { kind: 'done' } });
  });

  it('does not occur if the session ends at the moment of the question', () => {
    const harness = new ChatSessionHarness();
    harness.exchange('One', '1');
    harness.chat.send(words('Two'));
    harness.sockets.line.end({ kind: 'closed', code: 1006, reason: '' });
    expect(harness.answer.state).toEqual({ kind: 'streaming' });
    harness.live().say(done('2'));
    expect(harness.answer).toMatchObject({ text: '2', state: { kind: 'done' } });
    expect(harness.questions).toHaveLength(3);
  });

  it('is reported if the question may be the cause, or the new session ends as well', () => {
    const blamed = new ChatSessionHarness();
    blamed.exchange('One', '1');
    blamed.chat.send(words('Two'));
    blamed.say({ kind: 'closed', reason: 'backend_error' });
    blamed.clock.advance(5000);
    expect(blamed.answer.state).toMatchObject({ kind: 'failed' });
    const twice = new ChatSessionHarness();
    twice.exchange('One', '1');
    twice.chat.send(words('Two'));
    twice.sockets.line.end({ kind: 'closed', code: 1006, reason: '' });
    twice.live();
    twice.sockets.line.end({ kind: 'closed', code: 1006, reason: '' });
    expect(twice.answer.state).toMatchObject({ kind: 'failed' });
    expect(twice.sockets.lines).toHaveLength(2);
  });

  it('is left out of the next question', () => {
    const harness = new ChatSessionHarness();
    harness.chat.send(words('Bad'));
    harness.live().say(error('invalid_payload'));
    harness.chat.send(words('Good'));
    expect(harness.questions.at(-1)?.messages).toEqual([{ role: 'user', content: 'Good' }]);
  });
});

describe('the chat connection', () => {
  it('shows its place in the queue', () => {
    const harness = new ChatSessionHarness();
    harness.chat.send(words('Hello'));
    harness.sockets.line.open();
    harness.say({ kind: 'queued', stage: 'joined', position: 2, length: 3, etaSeconds: 40 });
    expect(harness.patchesOf('line').at(-1)?.line).toEqual({
      phase: 'queued',
      position: 2,
      length: 3,
      etaSeconds: 40,
    });
    harness.say({ kind: 'admitted' }, { kind: 'created', sessionId: 's' });
    expect(harness.patchesOf('line').at(-1)?.line).toEqual({ phase: 'ready' });
  });

  it('closes after two idle minutes, and opens again with the next question', () => {
    const harness = new ChatSessionHarness();
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

  it('stays open while an answer arrives slowly', () => {
    const harness = new ChatSessionHarness();
    harness.exchange('One', '1');
    harness.clock.advance(100_000);
    harness.chat.send(words('Two'));
    harness.say(text('2'), sound());
    harness.clock.advance(50_000);
    harness.say(done('2'));
    expect(harness.answer.state).toEqual({ kind: 'done', cutShort: false });
  });
});
