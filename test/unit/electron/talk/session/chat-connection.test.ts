import { describe, expect, it } from 'vitest';
import { ChatSessionStage, done, words } from '../../chat/chat-session-stage.ts';
import { error, sound, text } from './server-events.ts';

describe('a failed answer', () => {
  it('is marked in its turn, and the question can be asked again', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('Hello'));
    stage.live().say(text('He'), error('inference_error', 'out of luck'));
    const { state } = stage.answer;
    expect(state).toMatchObject({
      kind: 'failed',
      error: { detail: expect.stringContaining('out of luck') as string },
    });
    expect(stage.answer.text).toBe('He');
    stage.chat.retry(stage.answer.id);
    stage.say(done('Hello'));
    expect(stage.answer).toMatchObject({ text: 'Hello', state: { kind: 'done' } });
    expect(stage.sockets.lines).toHaveLength(1);
  });

  it('is reported if there is no connection, without an automatic retry', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('Hello'));
    stage.sockets.line.end({ kind: 'refused', status: 401, body: '' });
    expect(stage.answer.state).toMatchObject({
      kind: 'failed',
      error: { code: expect.stringMatching(/^refused/u) as string },
    });
    stage.clock.advance(600_000);
    expect(stage.sockets.lines).toHaveLength(1);
    expect(stage.turns[0]).toMatchObject({ parts: words('Hello') });
  });

  it('does not occur if the session ended between two questions', () => {
    const stage = new ChatSessionStage();
    stage.exchange('One', '1');
    stage.say({ kind: 'closed', reason: 'timeout' });
    stage.clock.advance(5000);
    stage.chat.send(words('Two'));
    stage.live().say(done('2'));
    expect(stage.answer).toMatchObject({ text: '2', state: { kind: 'done' } });
  });

  it('does not occur if the session is just ending for another reason', () => {
    const stage = new ChatSessionStage();
    stage.exchange('One', '1');
    stage.say({ kind: 'closed', reason: 'backend_error' });
    stage.chat.send(words('Two'));
    stage.live().say(done('2'));
    expect(stage.answer).toMatchObject({ text: '2', state: { kind: 'done' } });
  });

  it('does not occur if the session ends at the moment of the question', () => {
    const stage = new ChatSessionStage();
    stage.exchange('One', '1');
    stage.chat.send(words('Two'));
    stage.sockets.line.end({ kind: 'closed', code: 1006, reason: '' });
    expect(stage.answer.state).toEqual({ kind: 'streaming' });
    stage.live().say(done('2'));
    expect(stage.answer).toMatchObject({ text: '2', state: { kind: 'done' } });
    expect(stage.questions).toHaveLength(3);
  });

  it('is reported if the question may be the cause, or the new session ends as well', () => {
    const blamed = new ChatSessionStage();
    blamed.exchange('One', '1');
    blamed.chat.send(words('Two'));
    blamed.say({ kind: 'closed', reason: 'backend_error' });
    blamed.clock.advance(5000);
    expect(blamed.answer.state).toMatchObject({ kind: 'failed' });
    const twice = new ChatSessionStage();
    twice.exchange('One', '1');
    twice.chat.send(words('Two'));
    twice.sockets.line.end({ kind: 'closed', code: 1006, reason: '' });
    twice.live();
    twice.sockets.line.end({ kind: 'closed', code: 1006, reason: '' });
    expect(twice.answer.state).toMatchObject({ kind: 'failed' });
    expect(twice.sockets.lines).toHaveLength(2);
  });

  it('is left out of the next question', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('Bad'));
    stage.live().say(error('invalid_payload'));
    stage.chat.send(words('Good'));
    expect(stage.questions.at(-1)?.messages).toEqual([{ role: 'user', content: 'Good' }]);
  });
});

describe('the chat connection', () => {
  it('shows its place in the queue', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('Hello'));
    stage.sockets.line.open();
    stage.say({ kind: 'queued', stage: 'joined', position: 2, length: 3, etaSeconds: 40 });
    expect(stage.patchesOf('line').at(-1)?.line).toEqual({
      phase: 'queued',
      position: 2,
      length: 3,
      etaSeconds: 40,
    });
    stage.say({ kind: 'admitted' }, { kind: 'created', sessionId: 's' });
    expect(stage.patchesOf('line').at(-1)?.line).toEqual({ phase: 'ready' });
  });

  it('closes after two idle minutes, and opens again with the next question', () => {
    const stage = new ChatSessionStage();
    stage.exchange('One', '1');
    stage.clock.advance(119_000);
    expect(stage.sockets.line.state).toBe('open');
    stage.clock.advance(10_000);
    expect(stage.sockets.line.state).toBe('ended');
    expect(stage.patchesOf('line').at(-1)?.line).toEqual({ phase: 'idle' });
    stage.chat.send(words('Two'));
    stage.live().say(done('2'));
    expect(stage.answer).toMatchObject({ text: '2' });
  });

  it('stays open while an answer arrives slowly', () => {
    const stage = new ChatSessionStage();
    stage.exchange('One', '1');
    stage.clock.advance(100_000);
    stage.chat.send(words('Two'));
    stage.say(text('2'), sound());
    stage.clock.advance(50_000);
    stage.say(done('2'));
    expect(stage.answer.state).toEqual({ kind: 'done', cutShort: false });
  });
});
