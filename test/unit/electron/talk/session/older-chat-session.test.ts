import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { OlderChatSession } from '../../../../../electron/talk/session/session-for-chat.ts';
import type { SessionEvent } from '../../../../../electron/talk/session/session-event.ts';
import { createClientCodec } from '../../../../../shared/protocol/client-codec.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSockets } from '../../../../fakes/fake-sockets.ts';

const question = { messages: [{ role: 'user', content: 'Hello' }] } as const;

/** The older path with the test as its server. */
function olderPath() {
  const clock = new FakeClock();
  const sockets = new FakeSockets();
  const emitted: SessionEvent[] = [];
  const remembered: string[] = [];
  const session = new OlderChatSession({
    sockets,
    clock,
    codec: createClientCodec(bufferBase64),
    emit: (event) => void emitted.push(event),
    rememberDialect: (dialect) => void remembered.push(dialect),
    encodeRequest: ({ messages }) => JSON.stringify(messages),
  });
  return {
    session,
    clock,
    sockets,
    emitted,
    remembered,
    say: (...frames: readonly object[]) => {
      for (const frame of frames) sockets.line.receive(JSON.stringify(frame));
    },
    closed: () => emitted.find((event) => event.event === 'closed'),
    names: () => emitted.map((event) => (event.event === 'state' ? event.state : event.event)),
  };
}

describe('the older path of written conversations', () => {
  it('connects for each question, and sends nothing before', () => {
    const { session, sockets, say, emitted, names, remembered } = olderPath();
    expect(sockets.lines).toHaveLength(0);
    session.ask(question);
    expect(sockets.line.mode).toBe('older-chat');
    sockets.line.open();
    expect(sockets.line.sent).toEqual([JSON.stringify(question.messages)]);
    say({ type: 'prefill_done', input_tokens: 3 }, { type: 'chunk', text_delta: 'So' });
    say({ type: 'done', text: 'So', generated_tokens: 1, input_tokens: 3 });
    expect(names()).toEqual(['connecting', 'live', 'text', 'metrics', 'done']);
    expect(emitted.at(-1)).toEqual({ event: 'done', text: 'So', reason: 'turn_end' });
    expect(sockets.line.closes).toEqual([{ code: 1000, reason: '' }]);
    sockets.line.end({ kind: 'closed', code: 1000, reason: '' });
    session.ask(question);
    expect(sockets.lines).toHaveLength(2);
    expect(session.phase).toBe('connecting');
    expect(remembered).toEqual(['legacy']);
  });

  it('asks the next question after the answer to the last one', () => {
    const { session, sockets, say, emitted } = olderPath();
    session.ask(question);
    session.ask(question);
    sockets.line.open();
    expect(sockets.lines).toHaveLength(1);
    say({ type: 'done', text: 'One' });
    expect(sockets.lines).toHaveLength(2);
    sockets.line.open();
    say({ type: 'done', text: 'Two' });
    expect(emitted.filter(({ event }) => event === 'done')).toMatchObject([
      { text: 'One' },
      { text: 'Two' },
    ]);
  });

  it('plays the sound of an answer once', () => {
    const { session, sockets, say, emitted } = olderPath();
    const audio_data = bufferBase64.encode(new Uint8Array(new Float32Array(4).buffer));
    session.ask(question);
    sockets.line.open();
    say({ type: 'chunk', text_delta: 'a', audio_data }, { type: 'done', text: 'a', audio_data });
    session.ask(question);
    sockets.line.open();
    say({ type: 'done', text: 'b', audio_data });
    const sounds = emitted.filter(({ event }) => event === 'audio');
    expect(sounds).toMatchObject([{ turn: 0 }, { turn: 1 }]);
  });

  it.each([403, 404, 426])('is missing if the upgrade is refused with %d', (status) => {
    const { session, sockets, closed } = olderPath();
    session.ask(question);
    sockets.line.end({ kind: 'refused', status, body: 'nothing here' });
    expect(closed()).toMatchObject({ orderly: false, error: { code: 'noChatInLegacy' } });
    expect(session.phase).toBe('closed');
  });

  it.each([
    [{ kind: 'refused', status: 401, body: '' }, 'refusedUnknown'],
    [{ kind: 'refused', status: 503, body: '' }, 'refusedForNow'],
    [{ kind: 'closed', code: 1006, reason: '' }, 'connectionLost'],
    [{ kind: 'closed', code: 1000, reason: '' }, 'closedSilently'],
  ] as const)('reports why it ended before an answer: %j', (end, code) => {
    const { session, sockets, closed } = olderPath();
    session.ask(question);
    if (end.kind === 'closed') sockets.line.open();
    sockets.line.end(end);
    expect(closed()).toMatchObject({ orderly: false, error: { code } });
  });

  it('stays known after an answer, regardless of the reply to the next question', () => {
    const { session, sockets, say, closed } = olderPath();
    session.ask(question);
    sockets.line.open();
    say({ type: 'done', text: 'One' });
    session.ask(question);
    sockets.line.end({ kind: 'refused', status: 403, body: '' });
    expect(closed()).toMatchObject({ error: { code: 'refusedForbidden' } });
  });

  it('ends if the worker is busy', () => {
    const { session, sockets, say, closed } = olderPath();
    session.ask(question);
    sockets.line.open();
    say({ type: 'error', error: 'Worker busy' });
    expect(closed()).toMatchObject({ error: { code: 'workersBusy' }, by: 'server' });
  });

  it('continues after a failed question', () => {
    const { session, sockets, say, emitted, closed } = olderPath();
    session.ask(question);
    sockets.line.open();
    say({ type: 'chunk', text_delta: 'Half' }, { type: 'error', error: 'image decode failed' });
    expect(emitted.slice(-2)).toMatchObject([
      { event: 'error', fatal: false, error: { facts: { reason: 'inference_error' } } },
      { event: 'done', text: 'Half', reason: 'inference_error' },
    ]);
    expect(closed()).toBeUndefined();
    session.ask(question);
    expect(sockets.lines).toHaveLength(2);
  });

  it('has timeouts for the connection, the answer and its rest', () => {
    const slow = olderPath();
    slow.session.ask(question);
    slow.clock.advance(15_000);
    expect(slow.closed()).toMatchObject({ error: { code: 'testSlow' }, by: 'network' });
    const silent = olderPath();
    silent.session.ask(question);
    silent.sockets.line.open();
    silent.clock.advance(179_000);
    expect(silent.closed()).toBeUndefined();
    silent.clock.advance(1000);
    expect(silent.closed()).toMatchObject({ error: { code: 'serverStalled' } });
    const stalled = olderPath();
    stalled.session.ask(question);
    stalled.sockets.line.open();
    stalled.say({ type: 'chunk', text_delta: 'a' });
    stalled.clock.advance(60_000);
    expect(stalled.closed()).toMatchObject({ error: { code: 'serverStalled' } });
    expect(stalled.sockets.line.terminated).toBe(true);
  });

  it('ends the session if the server floods the client with text', () => {
    const { session, sockets, say, closed } = olderPath();
    session.ask(question);
    sockets.line.open();
    const text_delta = 'x'.repeat(200_000);
    say({ type: 'chunk', text_delta }, { type: 'chunk', text_delta });
    expect(closed()).toMatchObject({ error: { code: 'answerTooLong' } });
  });

  it('ends at once on request and ignores later events', () => {
    const { session, sockets, say, closed, emitted } = olderPath();
    session.ask(question);
    sockets.line.open();
    session.end();
    expect(closed()).toMatchObject({ orderly: true, by: 'client' });
    expect(sockets.line.terminated).toBe(true);
    const told = emitted.length;
    say({ type: 'chunk', text_delta: 'late' });
    session.ask(question);
    expect(emitted).toHaveLength(told);
    expect(sockets.lines).toHaveLength(1);
  });

  it('reports unreadable frames, and waits for the answer', () => {
    const { session, sockets, say, emitted } = olderPath();
    session.ask(question);
    sockets.line.open();
    sockets.line.receive(undefined);
    sockets.line.receive('{');
    say({ type: 'news' }, { type: 'done', text: 'a' });
    expect(emitted.slice(1)).toMatchObject([
      { event: 'error', error: { code: 'eventUnreadable' }, fatal: false },
      { event: 'error', error: { code: 'eventUnreadable' }, fatal: false },
      { event: 'unknown', type: 'news' },
      { event: 'state', state: 'live' },
      { event: 'done' },
    ]);
  });
});
