import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { createReplay } from '../../../../../electron/recordings/replay/replay-tape.ts';
import { createVirtualClock } from '../../../../../electron/recordings/replay/virtual-clock.ts';
import { createClientCodec } from '../../../../../shared/protocol/client-codec.ts';
import { parseJsonObject } from '../../../../../shared/protocol/json.ts';
import { createServerCodec } from '../../../../../shared/protocol/server-codec.ts';
import { header } from '../tape/recorder-harness.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { flushPromises } from '../../../../fakes/promises.ts';
import {
  CaptureTimeline,
  RerunEndDetector,
} from '../../../../../electron/recordings/rerun/rerun-driver.ts';
import type { ReplayTarget } from '../../../../../electron/recordings/replay/tape-lines.ts';
import type { Tape, TapeLine } from '../../../../../electron/recordings/tape/tape.ts';
import type { Socket, SocketListener } from '../../../../../shared/ports/sockets.ts';
import type { ClientEvent, DialectName } from '../../../../../shared/protocol/realtime-api.ts';

const client = createClientCodec(bufferBase64);

function out(at: number, ask: ClientEvent, dialect: DialectName = 'unified'): TapeLine {
  const frame = parseJsonObject(client.encodeClientEvent(ask, dialect)) ?? {};
  return { at, dir: 'out', frame };
}

const sound = (...samples: readonly number[]) => Float32Array.from(samples);

/** Plays a tape to a target that logs its calls. */
function startReplay(lines: readonly TapeLine[]) {
  const tape: Tape = { header, lines, frame: (frame) => frame, cut: false };
  const clock = createVirtualClock();
  const codec = createServerCodec(bufferBase64);
  const replay = createReplay(tape, { clock, codec });
  const notes: string[] = [];
  const note = (what: string) => notes.push(`${clock.now()} ${what}`);
  const target: ReplayTarget = {
    pushAudio: (block) => note(`hear ${block.join(',')}`),
    pushFrame: (frame) => note(`see ${frame.join(',')}`),
    setMaxSlices: (slices) => note(`slices ${slices}`),
    ask: (turn) => note(`ask ${JSON.stringify(turn)}`),
    interrupt: () => note('interrupt'),
    end: () => note('end'),
  };
  const listener: SocketListener = {
    opened: () => note('opened'),
    received: (text) => note(`received ${text ?? 'binary'}`),
    ended: (end) => note(`ended ${JSON.stringify(end)}`),
  };
  const connect = (): Socket => replay.sockets.connect('audio', listener);
  return { clock, replay, target, notes, connect, begin: () => replay.begin(target) };
}

const cutOff = '{"kind":"closed","code":1006,"reason":""}';

describe('a replay', () => {
  it('sends the server’s frames at their times', async () => {
    const stage = startReplay([
      { at: 50, dir: 'open' },
      { at: 60.5, dir: 'in', frame: { type: 'session.queue_done' } },
      { at: 70, dir: 'in', text: 'garbage' },
      { at: 70, dir: 'in' },
      { at: 90, dir: 'end', end: { kind: 'closed', code: 1000, reason: 'bye' } },
    ]);
    stage.begin();
    stage.connect();
    await stage.clock.run();
    await stage.replay.done;
    expect(stage.notes).toEqual([
      '50 opened',
      '60.5 received {"type":"session.queue_done"}',
      '70 received garbage',
      '70 received binary',
      '90 ended {"kind":"closed","code":1000,"reason":"bye"}',
    ]);
  });

  it('repeats the user’s input in both dialects', async () => {
    const stage = startReplay([
      { at: 0, dir: 'open' },
      out(1, { kind: 'configure', settings: { instructions: 'x' } }),
      out(10, {
        kind: 'append',
        audio: sound(1, 2),
        frames: [new Uint8Array([255, 216, 255, 7])],
        maxSlices: 4,
      }),
      out(20, { kind: 'append', audio: sound(3), forceListen: true, maxSlices: 4 }),
      out(30, { kind: 'append', audio: sound(4), forceListen: true }, 'legacy'),
      out(40, { kind: 'append', audio: sound(5) }, 'legacy'),
      out(50, { kind: 'chat', inputId: 'i', messages: [{ role: 'user', content: 'hi' }] }),
      out(60, { kind: 'close', reason: 'user_stop' }),
    ]);
    stage.connect();
    stage.begin();
    await stage.clock.run();
    const asked = stage.notes.findIndex((note) => note.includes('ask'));
    expect(stage.notes[asked]).toMatch(/^50 ask \{"messages":\[\{"role":"user","content":"hi"\}\]/);
    expect(stage.notes[asked]).not.toMatch(/inputId|kind/);
    expect(stage.notes.toSpliced(asked, 1)).toEqual([
      '0 opened',
      '10 slices 4',
      '10 see 255,216,255,7',
      '10 hear 1,2',
      '20 hear 3',
      '20 interrupt',
      '30 hear 4',
      '40 hear 5',
      '60 end',
      `60 ended ${cutOff}`,
    ]);
  });

  it('interrupts one sample before a chunk is full, because a full chunk would be sent without `forceListen`', async () => {
    const audio = new Float32Array(16_000);
    const stage = startReplay([
      { at: 0, dir: 'open' },
      out(1, { kind: 'append', audio, forceListen: true }),
      { at: 2, dir: 'end', end: {} },
    ]);
    let heard = 0;
    const hear = (block: Float32Array) => (heard += block.length);
    stage.connect();
    stage.replay.begin({ ...stage.target, pushAudio: hear });
    await stage.clock.run();
    expect(heard).toBe(15_999);
    expect(stage.notes[1]).toBe('1 interrupt');
  });

  it('replaces input ids by those of this session', async () => {
    const append = (at: number, inputId: string) =>
      out(at, { kind: 'append', inputId, audio: sound(1) });
    const answer = (at: number, input_id: string): TapeLine => ({
      at,
      dir: 'in',
      frame: { type: 'x', input_id },
    });
    const stage = startReplay([
      { at: 0, dir: 'open' },
      append(1, 'old-1'),
      append(2, 'old-2'),
      answer(3, 'old-2'),
      answer(4, 'unheard'),
    ]);
    const socket = stage.connect();
    let count = 0;
    const hear = (audio: Float32Array) => {
      const ask = { kind: 'append', inputId: `new-${(count += 1)}`, audio } as const;
      socket.send(client.encodeClientEvent(ask, 'unified'));
    };
    stage.replay.begin({ ...stage.target, pushAudio: hear });
    await stage.clock.run();
    expect(stage.notes.slice(1, 3)).toEqual([
      '3 received {"type":"x","input_id":"new-2"}',
      '4 received {"type":"x","input_id":"unheard"}',
    ]);
  });

  it('waits for a session that connects late and delays everything after it', async () => {
    const stage = startReplay([
      { at: 0, dir: 'open' },
      { at: 10, dir: 'end', end: { kind: 'refused', status: 503, body: 'x' } },
      { at: 20, connection: 2, dir: 'open' },
      { at: 25, connection: 2, dir: 'in', text: 'a' },
      {
        at: 30,
        connection: 2,
        dir: 'end',
        end: { kind: 'unreachable', problem: 'Gone.', lasting: true },
      },
    ]);
    stage.clock.after(0, stage.connect);
    stage.clock.after(100, stage.connect);
    stage.begin();
    await stage.clock.run();
    expect(stage.notes).toEqual([
      '0 opened',
      '10 ended {"kind":"refused","status":503,"body":"x"}',
      '100 opened',
      '105 received a',
      '110 ended {"kind":"unreachable","error":{"code":"recordedFailure","facts":{"problem":"Gone."}},"permanent":true}',
    ]);
  });

  it('ends a connection only once if the session terminates it', async () => {
    const stage = startReplay([
      { at: 0, dir: 'open' },
      { at: 5, dir: 'in', text: 'a' },
      { at: 10, dir: 'end', end: { kind: 'closed', code: 1006, reason: '' } },
    ]);
    const socket = stage.connect();
    stage.clock.after(2, () => socket.terminate());
    stage.begin();
    await stage.clock.run();
    expect(stage.notes).toEqual(['0 opened', `2 ended ${cutOff}`]);
  });

  it('refuses connections that are not on the tape', async () => {
    const stage = startReplay([{ at: 0, dir: 'end', end: { kind: 'nonsense' } }]);
    stage.connect();
    stage.connect();
    stage.begin();
    await stage.clock.run();
    expect(stage.notes).toEqual([
      '0 ended {"kind":"unreachable","error":{"code":"tapeEnded","facts":{}}}',
      `0 ended ${cutOff}`,
    ]);
  });
});

describe('a virtual clock', () => {
  it('jumps from one scheduled call to the next, in order', async () => {
    const clock = createVirtualClock();
    const ran: string[] = [];
    const note = (what: string) => () => ran.push(`${what} at ${clock.now()}`);
    clock.after(5000, note('late'));
    clock.after(10, () => {
      note('first')();
      clock.after(20, note('made on the way'));
      clock.after(0, note('at once'));
    });
    clock.after(10, note('second'));
    const cancel = clock.after(40, note('cancelled'));
    clock.after(35, cancel);
    await clock.run();
    expect(ran).toEqual([
      'first at 10',
      'second at 10',
      'at once at 10',
      'made on the way at 30',
      'late at 5000',
    ]);
  });

  it('can run at a multiple of the speed of a real clock', async () => {
    const real = new FakeClock();
    real.advance(1000);
    const clock = createVirtualClock({ clock: real, speed: 4 });
    const ran: number[] = [];
    for (const at of [400, 800]) clock.after(at, () => ran.push(real.now()));
    const running = clock.run();
    for (let step = 0; step < 5; step += 1) {
      await flushPromises();
      real.advance(50);
    }
    await running;
    expect(ran).toEqual([1100, 1200]);
  });
});

const text = { event: 'text', turn: 1, text: 'Yes.' } as const;

/** The end detector for a rerun of a ten-second tape with speech until second four. */
function createDetector(): RerunEndDetector {
  const end = new RerunEndDetector(10_000);
  end.noteSpeech(4000);
  return end;
}

describe('the end of a rerun', () => {
  it('comes after ten seconds without an answer to the last words', () => {
    const end = createDetector();
    expect(end.isOver(13_900, true)).toBe(false);
    expect(end.isOver(14_000, true)).toBe(true);
  });

  it('comes after a timeout if a turn never ends', () => {
    const end = createDetector();
    end.onEvent(text);
    expect(end.isOver(69_000, false)).toBe(false);
    expect(end.isOver(70_001, false)).toBe(true);
  });
});

describe('captured sound of a tape', () => {
  const chunk = (value: number): Float32Array => new Float32Array(1600).fill(value);

  it('is continuous if chunks arrived late or in bursts', () => {
    const sound = new CaptureTimeline();
    sound.add(100, chunk(1));
    sound.add(260, chunk(2));
    sound.add(261, chunk(3));
    expect([...sound.takeUntil(400)]).toEqual([
      ...[chunk(1), chunk(2), chunk(3)].flatMap((part) => Array.from(part)),
      ...new Float32Array(1600),
    ]);
  });

  it('keeps sound that arrives too late for its place', () => {
    const sound = new CaptureTimeline();
    sound.takeUntil(500);
    sound.add(400, chunk(1));
    expect(sound.takeUntil(600)).toEqual(chunk(1));
  });
});
