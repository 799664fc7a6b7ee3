import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import type { SessionEvent } from '../../../../../electron/talk/session/session-event.ts';
import {
  OlderChatSession,
  SessionForChat,
} from '../../../../../electron/talk/session/session-for-chat.ts';
import type { SessionOptions } from '../../../../../electron/talk/session/session.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { createClientCodec } from '../../../../../shared/protocol/client-codec.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSockets } from '../../../../fakes/fake-sockets.ts';
import { FakeSession } from '../conversation-harness.ts';

const question = { messages: [{ role: 'user', content: 'Hello' }] } as const;
const noChat = {
  event: 'closed',
  error: appError('noChatInLegacy'),
  by: 'server',
  orderly: false,
} as const;

type Known = Pick<SessionOptions, 'dialect' | 'rememberedDialect'>;

/** A SessionForChat whose sessions the test plays. */
function asking(known: Partial<Known> = {}) {
  const emitted: SessionEvent[] = [];
  const opened: { way: string; session: FakeSession; asked: object[] }[] = [];
  const session = new SessionForChat(
    { dialect: 'auto', ...known },
    {
      emit: (event) => void emitted.push(event),
      open: (way, emit) => {
        const options = { mode: 'chat', settings: {}, dialect: 'auto', chunkMs: 1000 } as const;
        const asked: object[] = [];
        const played = Object.assign(new FakeSession(options, emit), {
          ask: (turn: object) => void asked.push(turn),
          end: () => {
            played.close({ ...noChat, error: appError('answerDone'), by: 'client', orderly: true });
          },
        });
        opened.push({ way, session: played, asked });
        return played;
      },
    },
  );
  const last = () => {
    const way = opened.at(-1);
    if (way === undefined) throw new Error('Nothing was opened.');
    return way;
  };
  return {
    session,
    emitted,
    last,
    ways: () => opened.map(({ way }) => way),
    names: () => emitted.map((event) => (event.event === 'state' ? event.state : event.event)),
  };
}

describe('the method for a written conversation', () => {
  it.each([
    [{ dialect: 'legacy' }, ['olderPath']],
    [{ dialect: 'unified' }, ['chatMode']],
    [{}, ['chatModeBriefly', 'olderPath', 'chatMode']],
    [{ rememberedDialect: 'unified' }, ['chatMode']],
    [{ rememberedDialect: 'legacy' }, ['olderPath', 'chatModeBriefly']],
  ] as const)('depends on the dialect known of the server: %j', (known, ways) => {
    const asked = asking(known);
    for (const _ of ways) asked.last().session.close(noChat);
    expect(asked.ways()).toEqual(ways);
    expect(asked.names()).toEqual(['closed', 'closed']);
    expect(asked.session.phase).toBe('closed');
  });

  it('changes silently if the server does not support the first one, with the same questions', () => {
    const { session, emitted, last, names } = asking();
    session.ask(question);
    const error = { event: 'error', error: noChat.error, fatal: true } as const;
    last().session.enter('connecting', 'configuring', 'closing').emit(error);
    expect(session.phase).toBe('connecting');
    last().session.close(noChat);
    expect(last()).toMatchObject({ way: 'olderPath', asked: [question] });
    last()
      .session.enter('connecting', 'live')
      .emit({ event: 'done', text: 'So', reason: 'turn_end' });
    expect(names()).toEqual(['connecting', 'configuring', 'connecting', 'live', 'done']);
    expect(emitted.at(-1)).toMatchObject({ text: 'So' });
    session.ask(question);
    expect(last().asked).toHaveLength(2);
  });

  it('stays after it has worked, and after any other end', () => {
    const begun = asking();
    begun.last().session.enter('live').close(noChat);
    expect(begun.ways()).toEqual(['chatModeBriefly']);
    const refused = asking();
    refused.last().session.close({ ...noChat, error: appError('queueFull') });
    expect(refused.ways()).toEqual(['chatModeBriefly']);
    expect(refused.emitted.at(-1)).toMatchObject({ error: { code: 'queueFull' } });
  });

  it('is not changed after the user has ended the session', () => {
    const { session, ways, names } = asking();
    session.ask(question);
    session.end();
    expect(ways()).toEqual(['chatModeBriefly']);
    expect(names()).toEqual(['closed', 'closed']);
    const late = asking();
    Object.assign(late.last().session, { end: () => undefined });
    late.session.end();
    late.last().session.close(noChat);
    expect(late.ways()).toEqual(['chatModeBriefly']);
    expect(late.session.phase).toBe('closed');
  });
});

describe('the older chat endpoint', () => {
  const question = { messages: [{ role: 'user', content: 'Hello' }] } as const;

  /** The older endpoint with the test as its server. */
  function setUpOlder() {
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

  it('connects for each question, and not before the first', () => {
    const { session, sockets, say, emitted, names, remembered } = setUpOlder();
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

  it.each([403, 404, 426])('is reported as missing if the upgrade is refused with %d', (status) => {
    const { session, sockets, closed } = setUpOlder();
    session.ask(question);
    sockets.line.end({ kind: 'refused', status, body: 'nothing here' });
    expect(closed()).toMatchObject({ error: { code: 'noChatInLegacy', detail: 'nothing here' } });
    expect(session.phase).toBe('closed');
  });

  it.each([
    [{ kind: 'refused', status: 401, body: '' }, 'refusedUnknown'],
    [{ kind: 'refused', status: 503, body: '' }, 'refusedForNow'],
    [{ kind: 'closed', code: 1006, reason: '' }, 'connectionLost'],
    [{ kind: 'closed', code: 1000, reason: '' }, 'closedSilently'],
  ] as const)('reports why it ended before an answer: %j', (end, code) => {
    const { session, sockets, closed } = setUpOlder();
    session.ask(question);
    if (end.kind === 'closed') sockets.line.open();
    sockets.line.end(end);
    expect(closed()).toMatchObject({ orderly: false, error: { code } });
  });

  it('continues after a failed question', () => {
    const { session, sockets, say, emitted, closed } = setUpOlder();
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

  it('counts as working after an answer, regardless of the reply to the next question', () => {
    const { session, sockets, say, closed } = setUpOlder();
    session.ask(question);
    sockets.line.open();
    say({ type: 'done', text: 'One' });
    session.ask(question);
    sockets.line.end({ kind: 'refused', status: 403, body: '' });
    expect(closed()).toMatchObject({ error: { code: 'refusedForbidden' } });
  });

  it('plays the sound of an answer once', () => {
    const { session, sockets, say, emitted } = setUpOlder();
    const audio_data = bufferBase64.encode(new Uint8Array(new Float32Array(4).buffer));
    session.ask(question);
    sockets.line.open();
    say({ type: 'chunk', audio_data }, { type: 'chunk', text_delta: 'a', audio_data });
    say({ type: 'done', text: 'a', audio_data });
    session.ask(question);
    sockets.line.open();
    say({ type: 'done', text: 'b', audio_data });
    const sounds = emitted.filter(({ event }) => event === 'audio');
    expect(sounds).toMatchObject([{ turn: 0 }, { turn: 0 }, { turn: 1 }]);
  });

  it('asks the next question after the answer to the one before', () => {
    const { session, sockets, say, emitted } = setUpOlder();
    session.ask(question);
    session.ask(question);
    sockets.line.open();
    expect(sockets.lines).toHaveLength(1);
    say({ type: 'chunk', text_delta: 'One' }, { type: 'done', text: '' });
    expect(sockets.lines).toHaveLength(2);
    sockets.line.open();
    say({ type: 'done', text: 'Two' });
    expect(emitted.filter(({ event }) => event === 'done')).toMatchObject([
      { text: 'One' },
      { text: 'Two' },
    ]);
  });

  it('ends if the worker is busy', () => {
    const { session, sockets, say, closed } = setUpOlder();
    session.ask(question);
    sockets.line.open();
    say({ type: 'error', error: 'Worker busy' });
    expect(closed()).toMatchObject({ error: { code: 'workersBusy' }, by: 'server' });
  });

  it('ends the session if the server floods the client with text', () => {
    const { session, sockets, say, closed } = setUpOlder();
    session.ask(question);
    sockets.line.open();
    const text_delta = 'x'.repeat(200_000);
    say({ type: 'chunk', text_delta }, { type: 'chunk', text_delta });
    expect(closed()).toMatchObject({ error: { code: 'answerTooLong' } });
  });

  it('has timeouts for the connection, the start of an answer and the rest of it', () => {
    const slow = setUpOlder();
    slow.session.ask(question);
    slow.clock.advance(15_000);
    expect(slow.closed()).toMatchObject({
      error: appError('testSlow', { seconds: 15 }),
      by: 'network',
    });
    const silent = setUpOlder();
    silent.session.ask(question);
    silent.sockets.line.open();
    silent.clock.advance(179_000);
    expect(silent.closed()).toBeUndefined();
    silent.clock.advance(1000);
    expect(silent.closed()).toMatchObject({ error: { code: 'serverStalled' } });
    const stalled = setUpOlder();
    stalled.session.ask(question);
    stalled.sockets.line.open();
    stalled.say({ type: 'chunk', text_delta: 'a' });
    stalled.clock.advance(60_000);
    expect(stalled.closed()).toMatchObject({ error: { code: 'serverStalled' } });
    expect(stalled.sockets.line.terminated).toBe(true);
  });

  it('ends at once on request and ignores later events', () => {
    const { session, sockets, say, closed, emitted } = setUpOlder();
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
    const { session, sockets, say, emitted } = setUpOlder();
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
