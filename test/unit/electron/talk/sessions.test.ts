import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../electron/recordings/replay/virtual-clock.ts';
import { lazySockets, OpenSockets } from '../../../../electron/talk/sessions.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import type { SocketListener, Sockets } from '../../../../shared/ports/sockets.ts';
import { FakeFiles } from '../../../fakes/fake-files.ts';
import { FakeSockets } from '../../../fakes/fake-sockets.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import { RecordingListener } from '../../../fakes/scripted-server.ts';
import { sessionCore } from '../../../fakes/core-with-fakes.ts';
import { redactWireFrame, WireWatcher } from '../../../../electron/talk/wire-watcher.ts';
import { noPage, OpenPage } from '../../../../shared/ipc/page.ts';
import type { WireBatch } from '../../../../shared/protocol/wire-frame.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';

it('the end of Parley cuts the connection of an open talk, and leaves a replay alone', async () => {
  const sessions = sessionCore({ clock: createVirtualClock(), files: new FakeFiles() });
  const options = { mode: 'audio', settings: {}, dialect: 'unified', chunkMs: 1000 } as const;
  const [talk, tape] = [new FakeSockets(), new FakeSockets()];
  const emit = (): void => undefined;
  sessions.openSession(options, { sockets: talk, emit });
  sessions.openSession(options, { sockets: tape, clock: createVirtualClock(), emit });
  sessions.cut();
  expect(talk.line.terminated).toBe(true);
  expect(tape.line.terminated).toBe(false);
});

describe('sockets to a server that is still being looked up', () => {
  it('send queued messages after the server is known', async () => {
    const sockets = new FakeSockets();
    const listener = new RecordingListener();
    const socket = lazySockets(() => Promise.resolve({ ok: true, value: sockets })).connect(
      'chat',
      listener,
    );
    socket.send('one');
    socket.close(1000, 'bye');
    await flushPromises();
    socket.send('two');
    expect([sockets.line.mode, sockets.line.sent]).toEqual(['chat', ['one', 'two']]);
    expect(sockets.line.closes).toEqual([{ code: 1000, reason: 'bye' }]);
  });

  it('end once, with the reason, if the server is unavailable', async () => {
    const listener = new RecordingListener();
    const found = failure('tokenGone', { name: 'Home' });
    const socket = lazySockets(() => Promise.resolve(found)).connect('chat', listener);
    await flushPromises();
    socket.terminate();
    expect(JSON.stringify(listener.log).split('tokenGone')).toHaveLength(2);
  });

  it('never connect if they are terminated before the server is known', async () => {
    const sockets = new FakeSockets();
    const listener = new RecordingListener();
    const socket = lazySockets(() => Promise.resolve({ ok: true, value: sockets })).connect(
      'chat',
      listener,
    );
    socket.terminate();
    await flushPromises();
    expect(sockets.lines).toEqual([]);
    expect(listener.log).toHaveLength(1);
  });
});

const end = { kind: 'closed', code: 1006, reason: '' } as const;
const listener = (calls: string[], name: string): SocketListener => ({
  opened: () => void calls.push(`${name} opened`),
  received: () => undefined,
  ended: () => void calls.push(`${name} ended`),
});

/** Connections whose server never answers a close. */
function deaf(refuses: (nth: number) => boolean = () => false) {
  const listeners: SocketListener[] = [];
  const cut: number[] = [];
  const sockets: Sockets = {
    connect: (_mode, one) => {
      const nth = listeners.push(one) - 1;
      if (refuses(nth)) one.ended(end);
      return {
        send: () => undefined,
        close: () => undefined,
        terminate: () => {
          cut.push(nth);
          one.ended(end);
        },
      };
    },
  };
  return { sockets, listeners, cut };
}

describe('open sockets', () => {
  it('are each cut once if they are still open', () => {
    const calls: string[] = [];
    const { sockets, listeners, cut } = deaf();
    const open = new OpenSockets();
    const watched = open.watch(sockets);
    for (const name of ['a', 'b', 'c'])
      watched.connect('audio', listener(calls, name)).close(1000, '');
    listeners[0]?.opened();
    listeners[1]?.ended(end);
    open.cut();
    open.cut();
    expect(cut).toEqual([0, 2]);
    expect(calls).toEqual(['a opened', 'b ended', 'a ended', 'c ended']);
  });

  it('report their end at once when cut, even if the socket reports later or never', () => {
    const calls: string[] = [];
    const later: (() => void)[] = [];
    const sockets: Sockets = {
      connect: (_mode, one) => ({
        send: () => undefined,
        close: () => undefined,
        terminate: () =>
          void later.push(() => {
            one.ended(end);
          }),
      }),
    };
    const open = new OpenSockets();
    open.watch(sockets).connect('audio', listener(calls, 'a'));
    open.cut();
    expect(calls).toEqual(['a ended']);
    for (const say of later) say();
    expect(calls).toEqual(['a ended']);
  });

  it('are not cut later if they end during connect', () => {
    const { sockets, cut } = deaf((nth) => nth === 0);
    const open = new OpenSockets();
    open.watch(sockets).connect('chat', listener([], 'a'));
    open.cut();
    expect(cut).toEqual([]);
  });

  it('refuse connections after the cut, and report that as an end', async () => {
    const calls: string[] = [];
    const { sockets, listeners } = deaf();
    const open = new OpenSockets();
    const watched = open.watch(sockets);
    open.cut();
    const late = watched.connect('chat', listener(calls, 'late'));
    expect(calls).toEqual([]);
    await Promise.resolve();
    expect([calls, listeners.length]).toEqual([['late ended'], 0]);
    expect(() => {
      late.send('hello');
      late.close(1000, '');
      late.terminate();
    }).not.toThrow();
  });
});

function watched() {
  const clock = new FakeClock();
  const told: WireBatch[] = [];
  const wire = new WireWatcher({
    clock,
    post: (_name, payload) => {
      told.push(payload as WireBatch);
    },
  });
  const sockets = new FakeSockets();
  const listener = new RecordingListener();
  const socket = wire.watch(sockets, ['secret-of-mine']).connect('audio', listener);
  return { clock, told, wire, line: sockets.line, listener, socket };
}

it('frames are posted in batches and passed on unchanged', async () => {
  const { clock, told, wire, line, listener, socket } = watched();
  await wire.handlers.watchWire({ on: true }, noPage);
  line.open();
  socket.send('{"type":"a","key":"secret-of-mine"}');
  clock.advance(50);
  line.receive('{"type":"b"}');
  line.receive(undefined);
  line.end({ kind: 'closed', code: 1000, reason: 'bye' });
  expect(told).toEqual([]);
  clock.advance(50);
  expect(told).toHaveLength(1);
  const { frames, missed } = told[0] ?? { frames: [], missed: 1 };
  expect(missed).toBe(0);
  expect(frames.map(({ at, direction, length, text }) => [at, direction, length, text])).toEqual([
    [0, 'opened', 0, ''],
    [0, 'out', 35, '{"type":"a","key":"•••"}'],
    [50, 'in', 12, '{"type":"b"}'],
    [50, 'in', 0, ''],
    [50, 'ended', 0, '1000 bye'],
  ]);
  expect(line.sent).toEqual(['{"type":"a","key":"secret-of-mine"}']);
  expect(JSON.stringify(listener.log)).toContain('{\\"type\\":\\"b\\"}');
});

it('a flood of frames is limited, and the remaining frames are counted as missed', async () => {
  const { clock, told, wire, line } = watched();
  await wire.handlers.watchWire({ on: true }, noPage);
  line.open();
  for (let n = 0; n < 1000; n += 1) line.receive(`{"n":${n}}`);
  clock.advance(100);
  expect(told[0]).toMatchObject({ missed: 951 });
  expect(told[0]?.frames).toHaveLength(50);
  for (let n = 0; n < 4; n += 1) line.receive('x y '.repeat(400_000));
  clock.advance(100);
  // A single frame is always shown, with its text truncated.
  expect(told[1]).toMatchObject({ missed: 3, frames: [{ length: 1_600_000 }] });
  expect(told[1]?.frames[0]?.text.length).toBeLessThan(8100);
});

it('nothing is posted while no page watches, nor anything from before', async () => {
  const { clock, told, wire, line, socket } = watched();
  const [one, other] = [new OpenPage(), new OpenPage()];
  line.open();
  socket.send('before');
  await wire.handlers.watchWire({ on: true }, one);
  await wire.handlers.watchWire({ on: true }, other);
  one.gone();
  socket.send('while');
  clock.advance(100);
  expect(told.flatMap(({ frames }) => frames.map(({ text }) => text))).toEqual(['while']);
  socket.send('just before');
  await wire.handlers.watchWire({ on: false }, other);
  clock.advance(100);
  // A page that is gone cannot start watching.
  await wire.handlers.watchWire({ on: true }, one);
  socket.send('after');
  clock.advance(100);
  expect(told).toHaveLength(1);
});

it.each([
  ['in plain text', 'a"b/c secret', 'a"b/c secret'],
  ['within JSON', '"a\\"b/c secret"', 'a"b/c secret'],
  ['in an address', '?key=a%22b%2Fc%20secret', 'a"b/c secret'],
  ['beside base64', `${'A'.repeat(300)}tail.part`, 'tail.part'],
])('a secret is redacted %s', (_form, text, secret) => {
  const shown = redactWireFrame(text, [secret]);
  expect(shown).toContain('•••');
  expect(shown).not.toContain('secret');
  expect(shown).not.toContain('part');
});

it('media are replaced with their length', () => {
  expect(redactWireFrame(`{"audio":"${'Ab+/'.repeat(100)}==","text":"Hello"}`, [])).toBe(
    '{"audio":"‹402 characters›","text":"Hello"}',
  );
});
