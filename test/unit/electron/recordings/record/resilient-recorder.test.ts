import { describe, expect, it } from 'vitest';
import { SincResampler } from '../../../../../electron/audio/dsp/sinc-resampler.ts';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { RecentTalkBuffer } from '../../../../../electron/recordings/record/recent-talk-buffer.ts';
import { openResilientRecorder } from '../../../../../electron/recordings/record/resilient-recorder.ts';
import { TalkSnapshot } from '../../../../../electron/recordings/record/talk-snapshot.ts';
import { openTape } from '../../../../../electron/recordings/tape/tape-archive.ts';
import {
  type AppError,
  done,
  failure,
  type Outcome,
} from '../../../../../shared/errors/app-error.ts';
import { embeddedProfile } from '../../../../../shared/settings/connection-settings.ts';
import type { JsonObject } from '../../../../../shared/protocol/json.ts';
import { inputRate, outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { FakeSocket } from '../../../../fakes/fake-sockets.ts';
import { FakeDataFolder } from '../../../../fakes/fake-stores.ts';
import { unwrap } from '../../../../fakes/unwrap.ts';
import { RerunConnector } from '../../../../../electron/recordings/rerun/rerun-tape.ts';
import { TalkTapes } from '../../../../../electron/recordings/record/talk-tapes.ts';
import { header, wireSound } from '../tape/recorder-harness.ts';
import { checkTape } from '../../../../../electron/recordings/tape/inspect-tape.ts';
import { decodeWav } from '../../../../../shared/audio/wav.ts';

const init = JSON.stringify({ type: 'session.init', payload: { system: 'x'.repeat(5000) } });
const append = JSON.stringify({ type: 'input.append', input: { audio: wireSound(0.5) } });
const created = JSON.stringify({ type: 'session.created' });
const textFrame = (text: string) =>
  JSON.stringify({ type: 'response.output.delta', kind: 'text', text });
const soundFrame = (...samples: readonly number[]) =>
  JSON.stringify({ type: 'response.output.delta', kind: 'audio', audio: wireSound(...samples) });
const long = Array.from({ length: 2000 }, () => 0.25);

const describeFrame = ({ text, type }: JsonObject): string =>
  typeof text === 'string' ? text : typeof type === 'string' ? type : 'something else';

/** A resilient recorder on fake files and a manual clock, with this much disk space. */
async function openRecorder(space = Number.POSITIVE_INFINITY) {
  const files = new FakeFiles();
  const clock = new FakeClock();
  const errors: AppError[] = [];
  files.fill(space);
  const opened = await openResilientRecorder('/tapes/t', header, {
    files,
    upsampler: () => new SincResampler(inputRate, outputRate),
    clock,
    base64: bufferBase64,
    onError: (error) => errors.push(error),
  });
  if (!opened.ok) throw new Error(opened.error.code);
  const recorder = opened.value;
  const runCheck = async (): Promise<void> => {
    clock.advance(3000);
    for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
  };
  const receive = (text: string, connection = 1): void => {
    recorder.record({ dir: 'in', connection, text });
  };
  const end = (connection: number): void => {
    recorder.record({ dir: 'end', connection, end: { kind: 'closed', code: 1000, reason: '' } });
  };
  const begin = (connection: number): void => {
    recorder.record({ dir: 'open', connection });
    recorder.record({ dir: 'out', connection, text: init });
    receive(created, connection);
    recorder.record({ dir: 'out', connection, text: append });
  };
  /** The lines of the tape, as times, connections and kinds. */
  const readLines = async () => {
    const tape = await openTape('/tapes/t', { files, base64: bufferBase64 });
    if (!tape.ok) throw new Error(tape.error.code);
    const { lines, frame, damage } = tape.value;
    const all = lines.map((line) => {
      const { at, dir, connection } = line;
      const what = line.dir === 'event' ? describeFrame({ type: line.event['kind'] ?? '' }) : dir;
      const content = 'frame' in line ? describeFrame(frame(line.frame)) : what;
      return `${at} ${connection} ${content}`;
    });
    return { lines: all, damage: damage?.code };
  };
  return { files, clock, errors, recorder, runCheck, begin, receive, end, readLines };
}

describe('a recorder on a full disk', () => {
  it('opens at once, and reports the full disk', async () => {
    const { errors } = await openRecorder(0);
    expect(errors).toMatchObject([
      { code: 'tapeLowSpace', facts: { megabytes: 0 } },
      { code: 'tapeGap', cause: { code: 'diskFull' } },
    ]);
  });

  it('fills the gap in its stereo file with silence and keeps later sound in time', async () => {
    const { files, recorder, runCheck, begin, clock, receive } = await openRecorder();
    begin(1);
    const tone = new Float32Array(2400).fill(0.5);
    clock.advance(1000);
    recorder.addSound('parley', tone);
    files.fill(0);
    receive(textFrame('not written yet'));
    recorder.addSound('parley', tone);
    files.fill(10_000_000);
    await runCheck();
    clock.advance(1000);
    recorder.addSound('parley', tone);
    await recorder.close();
    const both = decodeWav(files.bytes('/tapes/t/both.wav'));
    if (!both.ok) throw new Error(both.error.code);
    const loud: number[] = [];
    for (let place = 1; place < both.value.samples.length; place += 2)
      if (both.value.samples[place] !== 0) loud.push((place - 1) / 2);
    expect([loud.length, loud[0], loud[2400], loud.at(-1)]).toEqual([
      4800,
      0.9 * outputRate,
      117_600,
      5 * outputRate - 1,
    ]);
  });

  it('reports one gap, keeps the text, and resumes sound when there is space', async () => {
    const { files, errors, recorder, runCheck, begin, readLines, clock, receive, end } =
      await openRecorder();
    begin(1);
    receive(soundFrame(...long));
    files.fill(3000);
    clock.advance(1000);
    receive(soundFrame(...long));
    receive(textFrame('during'));
    await runCheck();
    clock.advance(500);
    receive(soundFrame(...long));
    receive(textFrame('still'));
    await runCheck();
    files.fill(Number.POSITIVE_INFINITY);
    await runCheck();
    receive(textFrame('after'));
    receive(soundFrame(0.75));
    end(1);
    expect(await recorder.close()).toMatchObject({ ok: false, error: { code: 'tapeGap' } });
    expect(await checkTape('/tapes/t', { files })).toMatchObject({
      value: { state: 'whole', gaps: 1 },
    });
    expect(errors.map(({ code }) => code)).toEqual(['tapeGap']);
    const { lines, damage } = await readLines();
    expect(damage).toBeUndefined();
    expect(lines.slice(4)).toEqual([
      '0 1 response.output.delta',
      '1000 1 response.output.delta',
      '1000 1 during',
      '4500 1 still',
      '10500 1 gap',
      '10500 1 after',
      '10500 1 response.output.delta',
      '10500 1 end',
    ]);
    expect(files.text('/tapes/t/tape.ndjson')).toContain(
      '{"at":10500,"dir":"event","event":{"kind":"gap","from":1000,"why":"diskFull"}}',
    );
  });

  it('leaves a readable tape up to the gap if space never returns', async () => {
    const { files, errors, recorder, runCheck, begin, readLines, receive } = await openRecorder();
    begin(1);
    receive(textFrame('before'));
    files.fill(0);
    receive(soundFrame(...long));
    await runCheck();
    await runCheck();
    await recorder.close();
    expect(errors.map(({ code }) => code)).toEqual(['tapeGap']);
    const { lines, damage } = await readLines();
    expect({ last: lines.at(-1), damage }).toEqual({
      last: '0 1 before',
      damage: 'tapeUnfinished',
    });
  });
});

it('a recorder warns once if there is less space than ten minutes need', async () => {
  const { errors, recorder } = await openRecorder(100_000_000);
  expect(errors).toMatchObject([{ code: 'tapeLowSpace', facts: { megabytes: 100 } }]);
  recorder.record({ dir: 'open', connection: 1 });
  expect(await recorder.close()).toEqual({ ok: true, value: undefined });
  expect(errors.length).toBe(1);
});

describe('a recorder whose folder is deleted', () => {
  it('starts a new tape with the configuration and the present state of the talk', async () => {
    const { files, recorder, runCheck, begin, end } = await openRecorder();
    const floor = (of: 'you' | 'parley') => ({ kind: 'floor', floor: of }) as const;
    recorder.record({ dir: 'event', event: floor('parley') });
    begin(1);
    recorder.record({ dir: 'event', event: { kind: 'interrupt' } });
    recorder.record({ dir: 'event', event: floor('you') });
    files.removeFolder('/tapes/t');
    await runCheck();
    end(1);
    await recorder.close();
    const text = files.text('/tapes/t/tape.ndjson');
    expect(text.split('"kind":"floor"').length).toBe(2);
    expect(text).toContain('{"kind":"floor","floor":"you"}');
    expect(text).not.toContain('interrupt');
  });

  it('reports the deletion once, and starts the new tape only with a connection, by its handshake', async () => {
    const { files, errors, recorder, runCheck, begin, readLines, receive, end } =
      await openRecorder();
    begin(1);
    recorder.record({ dir: 'end', connection: 1, end: { kind: 'closed', code: 1006, reason: '' } });
    files.removeFolder('/tapes/t');
    await runCheck();
    expect(files.names()).toEqual([]);
    begin(2);
    await runCheck();
    receive(soundFrame(...long), 2);
    files.removeFolder('/tapes/t');
    receive(textFrame('nowhere'), 2);
    await runCheck();
    receive(textFrame('on the new one'), 2);
    files.removeFolder('/tapes/t');
    await runCheck();
    receive(soundFrame(0.5), 2);
    end(2);
    await recorder.close();
    expect(errors.map(({ code }) => code)).toEqual(['tapeLost']);
    expect((await readLines()).lines).toEqual([
      '0 1 open',
      '0 1 session.init',
      '0 1 session.created',
      '0 1 response.output.delta',
      '0 1 end',
    ]);
  });
});

const heardEvents = (files: FakeFiles): readonly string[] =>
  files
    .text('/tapes/t/tape.ndjson')
    .split('\n')
    .filter((line) => line.includes('"kind":"heard"'))
    .map((line) => line.replace(/^.*"kind":"heard",|\}\}$/gu, ''));

it('heard samples are counted without the sound that is missing from the tape', async () => {
  const { files, recorder, runCheck, begin, receive, end } = await openRecorder();
  const heardOf = (turn: number, samples: number): void => {
    recorder.record({ dir: 'event', event: { kind: 'heard', turn, samples } });
  };
  const answer = (turn: number): void => {
    receive(soundFrame(...long));
    recorder.countAnswer(turn, long.length);
  };
  begin(1);
  answer(1);
  heardOf(1, 1000);
  files.fill(0);
  // The first failed write; it is kept until the disk has space.
  answer(1);
  await Promise.resolve();
  answer(1);
  heardOf(1, 3000);
  answer(2);
  files.fill(Number.POSITIVE_INFINITY);
  await runCheck();
  heardOf(1, 5000);
  heardOf(2, 100);
  answer(3);
  heardOf(3, 50);
  expect(heardEvents(files)).toEqual([
    '"turn":1,"samples":1000',
    '"turn":1,"samples":3000',
    '"turn":1,"samples":4000',
    '"turn":2,"samples":50',
  ]);
  files.removeFolder('/tapes/t');
  await runCheck();
  heardOf(3, 1500);
  answer(3);
  heardOf(3, 2600);
  answer(4);
  heardOf(4, 10);
  const restarted = heardEvents(files);
  end(1);
  await recorder.close();
  expect(restarted).toEqual(['"turn":1,"samples":600', '"turn":2,"samples":10']);
});

it('heard samples are counted from the beginning of saved minutes, even if those begin within a turn', async () => {
  const [files, clock] = [new FakeFiles(), new FakeClock()];
  const buffer = new RecentTalkBuffer(clock, 40_000);
  const heardOf = (turn: number, samples: number): void =>
    buffer.record({ dir: 'event', event: { kind: 'heard', turn, samples } });
  const answer = (turn: number): void => {
    buffer.record({ dir: 'in', connection: 1, text: soundFrame(...long) });
    buffer.countAnswer(turn, long.length);
  };
  buffer.record({ dir: 'open', connection: 1 });
  buffer.record({ dir: 'out', connection: 1, text: init });
  answer(1);
  heardOf(1, 1000);
  answer(1);
  answer(1);
  // This exceeds the limit: the buffer begins again after it.
  answer(1);
  answer(1);
  heardOf(1, 7000);
  heardOf(1, 9000);
  answer(2);
  heardOf(2, 100);
  const saved = await buffer.writeTo('/tapes/t', header, {
    files,
    clock,
    base64: bufferBase64,
    onError: () => undefined,
  });
  expect(saved).toMatchObject({ ok: true });
  expect(heardEvents(files)).toEqual(['"turn":1,"samples":1000', '"turn":2,"samples":100']);
});

const ignoredListener = {
  opened: () => undefined,
  received: () => undefined,
  ended: () => undefined,
};

describe('the recording of a rerun', () => {
  function openTapes(files: FakeFiles, made: Outcome<undefined> = done) {
    const reported: AppError[] = [];
    const folder = Object.assign(new FakeDataFolder('/tapes'), { make: async () => made });
    const tapes = new TalkTapes({
      folder,
      openTape: (path, facts, onError) =>
        openResilientRecorder(
          path,
          { ...header, ...facts },
          { files, clock: new FakeClock(), base64: bufferBase64, onError },
        ),
      privacy: () => ({ keepTapes: false }),
      reportError: (error) => reported.push(error),
    });
    return { tapes, reported };
  }

  const connectWith = (tapes: TalkTapes) =>
    new RerunConnector({
      connector: {
        connect: () =>
          Promise.resolve({
            ok: true,
            value: {
              profile: embeddedProfile,
              endpoint: undefined,
              sockets: { connect: () => new FakeSocket('', ignoredListener) },
            },
          }),
      },
      sessions: {
        openSession: () => {
          throw new Error('no session was expected');
        },
      },
      tapes,
      stamp: () => 'again',
    }).connect('embedded', header);

  it('fails with its reason, and speaks of no talk', async () => {
    const { tapes, reported } = openTapes(new FakeFiles(), failure('readOnly', { path: '/tapes' }));
    expect(await connectWith(tapes)).toMatchObject({
      ok: false,
      error: { code: 'rerunNotRecorded', cause: { code: 'readOnly' } },
    });
    expect(reported).toEqual([]);
  });

  it('reports a full disk to the rerun, which ends', async () => {
    const files = new FakeFiles();
    files.fill(0);
    const { tapes, reported } = openTapes(files);
    const { unrecorded } = unwrap(await connectWith(tapes));
    expect(await unrecorded).toMatchObject({ cause: { code: 'diskFull' } });
    expect(reported).toEqual([]);
  });
});

describe('the beginning of a tape in the middle of a talk', () => {
  const open = (connection: number) => ({ dir: 'open', connection }) as const;
  const frame = (connection: number, text: string, dir: 'in' | 'out' = 'in') =>
    ({ dir, connection, text }) as const;

  it('has the open connections, numbered from one, with their frames before the first append', () => {
    const snapshot = new TalkSnapshot();
    for (const connection of [1, 2, 3]) snapshot.record(open(connection));
    snapshot.record({ dir: 'end', connection: 1, end: { kind: 'closed', code: 1000, reason: '' } });
    for (const entry of [frame(1, 'over'), frame(2, append), frame(2, init, 'out'), frame(3, 'c')])
      snapshot.record(entry);
    snapshot.record(frame(2, append, 'out'));
    snapshot.record(frame(2, 'late'));
    const second = [open(1), frame(1, append), frame(1, init, 'out')];
    expect(snapshot.preamble()).toEqual({
      before: 1,
      entries: [...second, open(2), frame(2, 'c')],
    });
    for (const connection of [2, 3])
      snapshot.record({ dir: 'end', connection, end: { kind: 'closed', code: 1000, reason: '' } });
    expect(snapshot.preamble()).toEqual({ before: 3, entries: [] });
  });

  it.each([
    ['a hundred frames', 100, 'x', 101],
    ['more frames', 150, 'x', 101],
    ['four million characters', 4, 'x'.repeat(1_000_000), 5],
    ['more characters', 5, 'x'.repeat(1_000_000), 5],
  ])('is limited: %s', (_what, count, text, entries) => {
    const snapshot = new TalkSnapshot();
    snapshot.record(open(1));
    for (let n = 0; n < count; n += 1) snapshot.record(frame(1, text));
    expect(snapshot.preamble().entries).toHaveLength(entries);
  });
});
