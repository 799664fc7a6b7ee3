import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/adapters/system/buffer-base64.ts';
import { checkTape } from '../../../../electron/recording/check-tape.ts';
import { openLastingRecorder } from '../../../../electron/recording/lasting-recorder.ts';
import { openTape } from '../../../../electron/recording/open-tape.ts';
import type { AppError } from '../../../../shared/errors/app-error.ts';
import type { JsonObject } from '../../../../shared/protocol/json.ts';
import { SincResampler } from '../../../../electron/sound/dsp/sinc-resampler.ts';
import { inputRate, outputRate } from '../../../../shared/protocol/protocol-limits.ts';
import { decodeWav } from '../../../../shared/wav/decode-wav.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../fakes/fake-files.ts';
import { header, wireSound } from './tape-deck.ts';

const init = JSON.stringify({ type: 'session.init', payload: { system: 'x'.repeat(5000) } });
const append = JSON.stringify({ type: 'input.append', input: { audio: wireSound(0.5) } });
const created = JSON.stringify({ type: 'session.created' });
const heard = (text: string) =>
  JSON.stringify({ type: 'response.output.delta', kind: 'text', text });
const sound = (...samples: readonly number[]) =>
  JSON.stringify({ type: 'response.output.delta', kind: 'audio', audio: wireSound(...samples) });
const long = Array.from({ length: 2000 }, () => 0.25);

const whatIn = ({ text, type }: JsonObject): string =>
  typeof text === 'string' ? text : typeof type === 'string' ? type : 'something else';

async function deck(room = Number.POSITIVE_INFINITY) {
  const files = new FakeFiles();
  const clock = new FakeClock();
  const told: AppError[] = [];
  files.fill(room);
  const opened = await openLastingRecorder('/tapes/t', header, {
    files,
    upsampler: () => new SincResampler(inputRate, outputRate),
    clock,
    base64: bufferBase64,
    onError: (error) => told.push(error),
  });
  if (!opened.ok) throw new Error(opened.error.code);
  const recorder = opened.value;
  const look = async (): Promise<void> => {
    clock.advance(3000);
    for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
  };
  const begin = (connection: number): void => {
    recorder.opened(connection);
    recorder.sent(connection, init);
    recorder.received(connection, created);
    recorder.sent(connection, append);
  };
  const texts = async () => {
    const tape = await openTape('/tapes/t', { files, base64: bufferBase64 });
    if (!tape.ok) throw new Error(tape.error.code);
    const { lines, frame, damage } = tape.value;
    const all = lines.map((line) => {
      const { at, dir, connection } = line;
      const what = line.dir === 'event' ? whatIn({ type: line.event['kind'] ?? '' }) : dir;
      const said = 'frame' in line ? whatIn(frame(line.frame)) : what;
      return `${at} ${connection} ${said}`;
    });
    return { all, damage: damage?.code };
  };
  return { files, clock, told, recorder, look, begin, texts };
}

describe('a recorder whose disk is full in the middle of a talk', () => {
  it('has silence in its stereo file for what came meanwhile, and the rest at its time', async () => {
    const { files, recorder, look, begin, clock } = await deck();
    begin(1);
    const tone = new Float32Array(2400).fill(0.5);
    clock.advance(1000);
    recorder.sounded('parley', tone);
    files.fill(0);
    recorder.received(1, heard('not written yet'));
    recorder.sounded('parley', tone);
    files.fill(10_000_000);
    await look();
    clock.advance(1000);
    recorder.sounded('parley', tone);
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

  it('says it once, keeps the words, and goes on with sound when there is room again', async () => {
    const { files, told, recorder, look, begin, texts, clock } = await deck();
    begin(1);
    recorder.received(1, sound(...long));
    files.fill(3000);
    clock.advance(1000);
    recorder.received(1, sound(...long));
    recorder.received(1, heard('during'));
    await look();
    clock.advance(500);
    recorder.received(1, sound(...long));
    recorder.received(1, heard('still'));
    await look();
    files.fill(Number.POSITIVE_INFINITY);
    await look();
    recorder.received(1, heard('after'));
    recorder.received(1, sound(0.75));
    recorder.ended(1, { kind: 'closed', code: 1000, reason: '' });
    expect(await recorder.close()).toMatchObject({ ok: false, error: { code: 'tapeGap' } });
    expect(told.map(({ code }) => code)).toEqual(['tapeGap']);
    const { all, damage } = await texts();
    expect({ all, damage }).toEqual({
      all: [
        '0 1 open',
        '0 1 session.init',
        '0 1 session.created',
        '0 1 input.append',
        '0 1 response.output.delta',
        '1000 1 response.output.delta',
        '1000 1 during',
        '4500 1 still',
        '10500 1 gap',
        '10500 1 after',
        '10500 1 response.output.delta',
        '10500 1 end',
      ],
      damage: undefined,
    });
    expect(files.text('/tapes/t/tape.ndjson')).toContain(
      '{"at":10500,"dir":"event","event":{"kind":"gap","from":1000,"why":"diskFull"}}',
    );
  });

  it('leaves what can be read up to there when there is never room again', async () => {
    const { files, told, recorder, look, begin, texts } = await deck();
    begin(1);
    recorder.received(1, heard('before'));
    files.fill(0);
    recorder.received(1, sound(...long));
    await look();
    await look();
    await recorder.close();
    expect(told.map(({ code }) => code)).toEqual(['tapeGap']);
    const { all, damage } = await texts();
    expect({ last: all.at(-1), damage }).toEqual({ last: '0 1 before', damage: 'tapeUnfinished' });
  });

  it('is whole where it was full from the beginning and room came', async () => {
    const { files, told, recorder, look, begin, texts } = await deck(10);
    begin(1);
    await look();
    files.fill(Number.POSITIVE_INFINITY);
    await look();
    recorder.received(1, heard('later'));
    recorder.ended(1, { kind: 'closed', code: 1000, reason: '' });
    await recorder.close();
    expect(told.map(({ code }) => code)).toEqual(['tapeLowSpace', 'tapeGap']);
    const { all, damage } = await texts();
    expect(damage).toBeUndefined();
    expect(all).toContain('0 1 session.created');
    expect(all.at(-2)).toBe('6000 1 later');
  });
});

it('leaves a tape of which it can be told that it has a gap', async () => {
  const { files, recorder, look, begin } = await deck();
  begin(1);
  files.fill(0);
  recorder.received(1, sound(...long));
  await look();
  files.fill(Number.POSITIVE_INFINITY);
  await look();
  recorder.ended(1, { kind: 'closed', code: 1000, reason: '' });
  await recorder.close();
  expect(await checkTape('/tapes/t', { files })).toMatchObject({
    value: { state: 'whole', gaps: 1 },
  });
});

describe('a recorder whose folder is taken away', () => {
  it('says on the new tape how the talk is held, and how all stands now', async () => {
    const { files, recorder, look, begin } = await deck();
    const floor = (of: 'you' | 'parley') => ({ kind: 'floor', floor: of }) as const;
    recorder.happened(floor('parley'));
    begin(1);
    recorder.happened({ kind: 'interrupt' });
    recorder.happened(floor('you'));
    files.removeFolder('/tapes/t');
    await look();
    recorder.ended(1, { kind: 'closed', code: 1000, reason: '' });
    await recorder.close();
    const text = files.text('/tapes/t/tape.ndjson');
    expect(text.split('"kind":"floor"').length).toBe(2);
    expect(text).toContain('{"kind":"floor","floor":"you"}');
    expect(text).not.toContain('interrupt');
  });

  it('says it once and begins anew, with how the connection of now began', async () => {
    const { files, told, recorder, look, begin, texts } = await deck();
    begin(1);
    recorder.ended(1, { kind: 'closed', code: 1006, reason: '' });
    begin(2);
    recorder.received(2, sound(...long));
    files.removeFolder('/tapes/t');
    recorder.received(2, heard('nowhere'));
    await look();
    recorder.received(2, heard('on the new one'));
    files.removeFolder('/tapes/t');
    await look();
    recorder.received(2, sound(0.5));
    recorder.ended(2, { kind: 'closed', code: 1000, reason: '' });
    await recorder.close();
    expect(told.map(({ code }) => code)).toEqual(['tapeLost']);
    expect(await texts()).toEqual({
      all: [
        '0 1 open',
        '0 1 session.init',
        '0 1 session.created',
        '0 1 response.output.delta',
        '0 1 end',
      ],
      damage: undefined,
    });
  });

  it('waits where it cannot be made anew yet', async () => {
    const { files, told, recorder, look, begin, texts } = await deck();
    begin(1);
    files.removeFolder('/tapes/t');
    files.put('/tapes/t', 'a file in its place');
    await look();
    await look();
    files.remove('/tapes/t');
    await look();
    recorder.received(1, heard('again'));
    await recorder.close();
    expect(told.map(({ code }) => code)).toEqual(['tapeLost']);
    expect((await texts()).all).toEqual([
      '0 1 open',
      '0 1 session.init',
      '0 1 session.created',
      '0 1 again',
    ]);
  });
});

it('tells before it begins that there is less room than ten minutes need, and that once', async () => {
  const { told, recorder } = await deck(100_000_000);
  expect(told).toMatchObject([{ code: 'tapeLowSpace', facts: { megabytes: 100 } }]);
  recorder.opened(1);
  expect(await recorder.close()).toEqual({ ok: true, value: undefined });
  expect(told.length).toBe(1);
});
