import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../../../electron/talk/session/session-event.ts';
import { openSession, SessionConnection } from '../../../../../electron/talk/session/session.ts';
import type { SocketListener } from '../../../../../shared/ports/sockets.ts';
import type { ServerEvent } from '../../../../../shared/protocol/realtime-api.ts';
import { collectUnhandledRejections } from '../../../../fakes/collect-unhandled-rejections.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSockets } from '../../../../fakes/fake-sockets.ts';
import { readPlain, writePlain } from '../../../../fakes/plain-codec.ts';
import { listen } from './server-events.ts';
import { SessionHarness } from './session-harness.ts';

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
  const sockets = new FakeSockets();
  const heard: SessionEvent['event'][] = [];
  const seen = await collectUnhandledRejections(async () => {
    const session = openSession(
      { mode: 'audio', settings: {}, dialect: 'unified', chunkMs: 1000 },
      {
        sockets,
        clock: new FakeClock(),
        random: () => 0.5,
        rememberDialect: () => undefined,
        codec: {
          encodeClientEvent: (ask, dialect) => writePlain({ ...ask, dialect }),
          decodeServerEvent: (text) => readPlain(text) as ServerEvent,
        },
        emit: ({ event }) => {
          heard.push(event);
          throw new Error('the listener fails');
        },
      },
    );
    session.end();
    await Promise.resolve();
    expect(session.phase).toBe('closed');
  });
  expect(heard.at(-1)).toBe('closed');
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

  it('tells a later session of it if the server says so after the configuration', () => {
    const harness = openScene('created');
    expect(configured(harness)).toEqual([{}]);
    const [session] = harness.emittedOf('session');
    expect(session).toMatchObject({ takesTools: true });
    expect(session).not.toHaveProperty('callsTools');
  });

  it.each([
    ['the server never announces it', 'never', {}],
    ['the session writes', 'before', { mode: 'chat' }],
    ['the dialect is legacy', 'before', { dialect: 'legacy' }],
    ['there are none', 'before', { settings: { tools: [] } }],
  ] as const)('sends none if %s, and makes no call', (_why, announced, part) => {
    const harness = openScene(announced, part).say(ask('c1'));
    for (const settings of configured(harness)) expect(settings).not.toHaveProperty('tools');
    expect(harness.emittedOf('toolCall')).toEqual([]);
  });

  it('passes a call on once, and answers it once, in the form in which it came', () => {
    const harness = openScene('admitted').say(ask('c1'), ask('c1'));
    expect(harness.emittedOf('toolCall')).toMatchObject([{ call: 'c1', ask: { name: 'add' } }]);
    harness.session.answerCall('c1', 'It is 3.');
    harness.session.answerCall('c1', 'It is 4.');
    harness.session.answerCall('c2', 'It is 5.');
    expect(results(harness)).toEqual([
      { kind: 'toolResult', call: 'c1', form: 'done', text: 'It is 3.' },
    ]);
  });

  it('answers no call that its model gave up', () => {
    const harness = openScene('admitted').say(ask('c1'), { kind: 'toolCall', call: 'c1' });
    harness.say({ kind: 'toolCall', call: 'c9' });
    expect(harness.emittedOf('toolCall').map((event) => event.ask !== undefined)).toEqual([
      true,
      false,
    ]);
    harness.session.answerCall('c1', 'It is 3.');
    expect(results(harness)).toEqual([]);
  });

  it('holds eight open calls, and ends a server that floods it with calls', () => {
    const harness = openScene('admitted');
    for (let count = 0; count < 500; count += 1) harness.say(ask(`c${count}`));
    expect(harness.emittedOf('toolCall')).toHaveLength(8);
    expect(harness.session.phase).toBe('live');
    for (let count = 0; count < 200; count += 1) harness.say(ask(`d${count}`));
    expect(harness.session.phase).toBe('closed');
  });
});
