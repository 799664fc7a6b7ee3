import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../../../electron/talk/session/session-event.ts';
import { SessionConnection } from '../../../../../electron/talk/session/session.ts';
import type { SocketListener } from '../../../../../shared/ports/sockets.ts';
import { collectUnhandledRejections } from '../../../../fakes/promises.ts';
import { listen, SessionHarness, closed, delta, error, queued, chat } from './session-harness.ts';
import { appError, wireReason, sessionError } from '../../../../../shared/errors/app-error.ts';

it('a session ignores events of an earlier connection', () => {
  const heard: string[] = [];
  const listeners: SocketListener[] = [];
  const connection = new SessionConnection(
    {
      connect: (_, listener) => {
        listeners.push(listener);
        return { send: () => undefined, close: () => undefined, terminate: () => undefined };
      },
    },
    {
      opened: () => heard.push('opened'),
      received: (text) => heard.push(text ?? 'binary'),
      ended: () => heard.push('ended'),
    },
  );
  connection.connect('audio');
  connection.connect('audio');
  const [old, current] = listeners;
  for (const listener of [old, current]) {
    listener?.opened();
    listener?.received(listener === old ? 'old' : 'new');
    listener?.ended({ kind: 'closed', code: 1000, reason: '' });
  }
  expect(heard).toEqual(['opened', 'new', 'ended']);
});

it('a session continues its effects after a listener throws', async () => {
  const harness = new SessionHarness();
  const heard: string[] = [];
  harness.emitted.push = (...events) => {
    heard.push(...events.map(({ event }) => event));
    throw new Error('the listener fails');
  };
  const seen = await collectUnhandledRejections(async () => {
    harness.session.end();
    await Promise.resolve();
    expect(harness.session.phase).toBe('closed');
  });
  expect(heard).toEqual(['state', 'closed']);
  expect(seen).toEqual(heard.map(() => new Error('the listener fails')));
});

describe('token usage', () => {
  const prepared = { inputText: 24, inputAudio: 56 };
  const noStats = {};

  it('of a created session counts its instructions and voice', () => {
    const created = (usage: object) =>
      new SessionHarness()
        .open()
        .say({ kind: 'admitted' }, { kind: 'created', metrics: { values: noStats, usage } })
        .emittedOf('session')[0];
    expect(created(prepared)).toMatchObject({ promptLength: 80 });
    expect(created({ inputText: 0, inputAudio: 0 })?.promptLength).toBeUndefined();
  });

  it('of each step and of the end is emitted, whoever ends the session', () => {
    for (const endsIt of [true, false]) {
      const harness = new SessionHarness().live().speak(1);
      const usage = { inputText: 24, inputAudio: 66 };
      const stepUsage = { inputAudio: 10 };
      harness.say({ ...listen(), metrics: { values: noStats, usage, stepUsage, stepIndex: 0 } });
      if (endsIt) harness.session.end();
      const last = { inputText: 25, inputAudio: 66 };
      harness.say({ kind: 'closed', reason: 'timeout', metrics: { values: noStats, usage: last } });
      expect(harness.emittedOf('metrics').map(({ metrics }) => metrics)).toEqual([
        { values: noStats, usage, stepUsage, stepIndex: 0 },
        { values: noStats, usage: last },
      ]);
    }
  });
});

const tools = [{ type: 'function', function: { name: 'add' } }];
const ask = (call: string) =>
  ({ kind: 'toolCall', call, ask: { form: 'done', name: 'add', args: { a: 1 } } }) as const;

/** A live session that has tools for its server. */
function openScene(
  announced: 'admitted' | 'created' | 'before' | 'never',
  part = {},
): SessionHarness {
  const harness = new SessionHarness({
    settings: { tools },
    takesTools: announced === 'before',
    ...part,
  });
  const says = (when: typeof announced) => announced === when && ({ takesTools: true } as const);
  return harness
    .open()
    .say(
      { kind: 'admitted', ...says('admitted') },
      { kind: 'created', sessionId: 's', ...says('created') },
    );
}

const configured = (harness: SessionHarness) =>
  harness.asked.flatMap(({ ask: sent }) => (sent.kind === 'configure' ? [sent.settings] : []));
const results = (harness: SessionHarness) =>
  harness.asked.flatMap(({ ask: sent }) => (sent.kind === 'toolResult' ? [sent] : []));

describe('a session with a server that takes tools', () => {
  it.each(['admitted', 'before'] as const)('sends them if that is known: %s', (announced) => {
    const harness = openScene(announced);
    expect(configured(harness)).toEqual([{ tools }]);
    expect(harness.emittedOf('session')).toMatchObject([{ takesTools: true, callsTools: true }]);
  });

  it('enables tools only for a later session if the server says that it takes tools after the configuration', () => {
    const harness = openScene('created');
    expect(configured(harness)).toEqual([{}]);
    const [session] = harness.emittedOf('session');
    expect(session).toMatchObject({ takesTools: true });
    expect(session).not.toHaveProperty('callsTools');
  });

  it.each([
    ['the server never announces that it takes them', 'never', {}],
    ['the session is a chat', 'before', { mode: 'chat' }],
    ['the dialect is legacy', 'before', { dialect: 'legacy' }],
    ['the talk has none', 'before', { settings: { tools: [] } }],
  ] as const)('sends no tools if %s, and makes no call', (_why, announced, part) => {
    const harness = openScene(announced, part).say(ask('c1'));
    for (const settings of configured(harness)) expect(settings).not.toHaveProperty('tools');
    expect(harness.emittedOf('toolCall')).toEqual([]);
  });

  it('reports a repeated call once, and answers a call once, in the form in which it came', () => {
    const harness = openScene('admitted').say(ask('c1'), ask('c1'), ask('c2'));
    expect(harness.emittedOf('toolCall')).toMatchObject([
      { call: 'c1', ask: { name: 'add' } },
      { call: 'c2' },
    ]);
    for (const call of ['c1', 'c1', 'c3', 'c2']) harness.session.answerCall(call, `For ${call}.`);
    expect(results(harness)).toEqual(
      ['c1', 'c2'].map((call) => ({
        kind: 'toolResult',
        call,
        form: 'done',
        text: `For ${call}.`,
      })),
    );
  });

  it('answers no call that its model has aborted', () => {
    const harness = openScene('admitted').say(ask('c1'), { kind: 'toolCall', call: 'c1' });
    harness.say({ kind: 'toolCall', call: 'c9' });
    expect(harness.emittedOf('toolCall').map((event) => event.ask !== undefined)).toEqual([
      true,
      false,
    ]);
    harness.session.answerCall('c1', 'It is 3.');
    expect(results(harness)).toEqual([]);
  });

  it('holds at most eight open calls, and ends if the server floods it with calls', () => {
    const harness = openScene('admitted');
    for (let count = 0; count < 500; count += 1) harness.say(ask(`c${count}`));
    expect(harness.emittedOf('toolCall')).toHaveLength(8);
    expect(harness.session.phase).toBe('live');
    for (let count = 0; count < 200; count += 1) harness.say(ask(`d${count}`));
    expect(harness.session.phase).toBe('closed');
  });
});

describe('ending a session', () => {
  it('sends session.close, waits for the reply and closes the connection', () => {
    const harness = new SessionHarness().live();
    harness.session.end();
    expect(harness.asked.at(-1)).toMatchObject({ ask: { kind: 'close', reason: 'user_stop' } });
    expect(harness.socket.closes).toEqual([]);
    harness.say(closed('stopped'));
    expect(harness.socket.closes).toEqual([{ code: 1000, reason: '' }]);
    harness.close(1000);
    expect(harness.emittedOf('closed')).toEqual([
      {
        event: 'closed',
        error: appError('endedByPerson'),
        by: 'client',
        orderly: true,
      },
    ]);
  });

  it('sends turn_done in chat', () => {
    const harness = chat().live();
    harness.session.end();
    expect(harness.asked.at(-1)).toMatchObject({ ask: { kind: 'close', reason: 'turn_done' } });
    expect(harness.close(1000).closed).toMatchObject({
      error: appError('answerDone'),
      by: 'client',
    });
  });

  it('has timeouts for the reply and for the close', () => {
    const harness = new SessionHarness().live();
    harness.session.end();
    harness.wait(1_999);
    expect(harness.socket.closes).toEqual([]);
    harness.wait(1);
    expect(harness.socket.closes).toHaveLength(1);
    expect(harness.wait(999).closed).toBeUndefined();
    expect(harness.wait(1).closed).toMatchObject({ by: 'client', orderly: true });
    expect(harness.socket.terminated).toBe(true);
  });

  it('sends and emits nothing more afterwards', () => {
    const harness = new SessionHarness().live();
    harness.session.end();
    const before = harness.asked.length;
    harness.speak(3).say(delta('late', true));
    harness.session.interrupt();
    harness.session.end();
    harness.wait(10_000).say(delta('later', true)).speak(3);
    harness.session.end();
    expect(harness.asked).toHaveLength(before);
    expect(harness.emittedOf('text')).toEqual([]);
    expect(harness.emittedOf('closed')).toHaveLength(1);
    expect(harness.session.phase).toBe('closed');
  });
});

describe('an end by the server', () => {
  it.each([
    ['timeout', 'timeLimitReached', true],
    ['context_full', 'memoryFull', true],
    ['backend_error', 'modelFailed', false],
    ['server_shutdown', 'serverLeaving', false],
    ['error', 'serverGaveUp', false],
    ['user_stop', 'serverSaysUserStop', false],
    ['stopped', 'serverSaysStopped', false],
    ['client_closed', 'serverSaysClientClosed', false],
    ['invalid_voice', 'settingsRefused', false],
    ['moon_phase', 'serverEnded', false],
    // Our internal reasons have no meaning in the server's message.
    ['turn_done', 'serverEnded', false],
    ['cut', 'serverEnded', false],
    ['sound_flood', 'serverEnded', false],
    ['toString', 'serverEnded', false],
  ] as const)('“%s” is reported as %s', (reason, code, orderly) => {
    const harness = new SessionHarness().live().say(closed(reason));
    expect(harness.session.phase).toBe('closing');
    expect(harness.close(1000).closed).toMatchObject({ error: { code }, by: 'server', orderly });
    expect(harness.closed && wireReason(harness.closed.error)).toBe(reason);
  });

  it('has the server’s diagnosis in one line of limited length', () => {
    const harness = new SessionHarness()
      .live()
      .say(closed('backend_error', `bad\n  audio ${'x'.repeat(999)}`));
    const detail = harness.close(1000).closed?.error.detail ?? '';
    expect(detail).toMatch(/^bad audio xxx/);
    expect(detail.length).toBeLessThan(310);
    const long = new SessionHarness()
      .live()
      .say(closed('x'.repeat(5000)))
      .close(1000).closed;
    expect(JSON.stringify(long).length).toBeLessThan(500);
  });

  it.each([
    [1000, '', 'closed', 'server', 'closedSilently'],
    [1000, 'bye', 'bye', 'server', 'serverEnded'],
    [1001, '', 'server_shutdown', 'server', 'serverLeaving'],
    [1003, '', 'unreadable', 'server', 'serverCannotRead'],
    [1006, '', 'connection_lost', 'network', 'connectionLost'],
    [1008, '', 'policy', 'server', 'notAllowed'],
    [1009, '', 'too_large', 'server', 'messageTooLarge'],
    [
      1009,
      'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
      'server_too_large',
      'server',
      'serverMessageTooLarge',
    ],
    [1011, 'boom', 'server_error', 'server', 'serverFailed'],
    [1013, 'Queue full', 'queue_full', 'server', 'queueFull'],
    [1013, 'No idle worker available', 'worker_busy', 'server', 'workersBusy'],
    [1013, 'worker connect failed', 'worker_connect_failed', 'server', 'workerUnreachable'],
    [1013, '', 'service_unavailable', 'server', 'serverNotReady'],
    [4711, '', 'closed_4711', 'server', 'closedWithCode'],
    [4711, 'odd', 'odd', 'server', 'serverEnded'],
  ])(
    'with the close code %s and the text “%s” has the wire reason %s, is by the %s, and is the error %s',
    (code, said, reason, by, known) => {
      const harness = new SessionHarness().live().close(code, said);
      expect(harness.closed).toMatchObject({ error: { code: known }, by, orderly: false });
      expect(harness.closed && wireReason(harness.closed.error)).toBe(reason);
      expect([said, undefined]).toContain(harness.closed?.error.detail);
    },
  );

  it('is explained by an error just before it, unless the connection was cut', () => {
    const explained = new SessionHarness().live().say(error('odd_thing', 'no disk')).close(1011);
    expect(explained.closed).toMatchObject({
      error: sessionError('odd_thing', 'no disk'),
      by: 'server',
    });
    const later = new SessionHarness().live().say(error('odd_thing')).wait(6_000).close(1011);
    expect(later.closed).toMatchObject({ error: { code: 'serverFailed' } });
    const cut = new SessionHarness().live().say(error('odd_thing')).close(1006);
    expect(cut.closed).toMatchObject({ error: sessionError('connection_lost'), by: 'network' });
  });

  it('is not explained by an error before the session was live', () => {
    const harness = new SessionHarness()
      .open()
      .say(queued(1), error('odd_thing'))
      .live()
      .close(1011);
    expect(harness.closed).toMatchObject({ error: { code: 'serverFailed' } });
  });

  it.each(['not_ready', 'unknown_event', 'missing_field', 'invalid_payload', 'inference_error'])(
    'is not caused by %s',
    (code) => {
      const harness = new SessionHarness().live().say(error(code)).speak(1);
      expect(harness.emittedOf('error')).toMatchObject([
        { error: { code: 'serverReports', facts: { reason: code } }, fatal: false },
      ]);
      expect(harness.appends).toHaveLength(1);
    },
  );
});

describe('a call from inside a listener', () => {
  function onEmit({ emitted }: SessionHarness, call: (event: SessionEvent | undefined) => void) {
    const push = emitted.push.bind(emitted);
    emitted.push = (...events) => {
      const length = push(...events);
      call(events[0]);
      return length;
    };
  }

  it('sends sound that is passed as soon as the session is live', () => {
    const harness = new SessionHarness();
    const half = new Float32Array(8000).fill(0.5);
    onEmit(harness, (event) => {
      if (event?.event === 'state' && event.state === 'live') harness.session.pushAudio(half);
    });
    harness.live().session.pushAudio(new Float32Array(8000));
    expect(harness.appends.map(({ audio }) => audio.indexOf(0))).toEqual([8000]);
  });

  it('is queued', () => {
    const harness = chat();
    harness.session.ask({ messages: [] });
    onEmit(harness, (event) => {
      if (event?.event === 'session') harness.session.end();
    });
    harness.live();
    expect(harness.asks).toEqual(['configure unified 0', 'chat unified 0', 'close unified 0']);
    expect(harness.broken).toEqual([]);
    expect(harness.remembered).toEqual(['unified']);
  });
});
