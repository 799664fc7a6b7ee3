import { expect, it } from 'vitest';
import { redactWireFrame, WireWatcher } from '../../../../electron/talk/wire-watcher.ts';
import { noPage, OpenPage } from '../../../../shared/ipc/page.ts';
import type { WireBatch } from '../../../../shared/protocol/wire-frame.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeSockets } from '../../../fakes/fake-sockets.ts';
import { RecordingListener } from '../../../fakes/recording-listener.ts';

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

it('a flood is limited, and counted as missed', async () => {
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
  ['as it is', 'a"b/c secret', 'a"b/c secret'],
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
