import { describe, expect, it } from 'vitest';
import { checkTape } from '../../../../../electron/recordings/tape/inspect-tape.ts';
import { decodeWav } from '../../../../../shared/audio/wav.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { heard, createResilientHarness, long, sound } from '../tape/resilient-harness.ts';

describe('a recorder on a full disk', () => {
  it('fills the gap in its stereo file with silence and keeps later sound in time', async () => {
    const { files, recorder, runCheck, begin, clock } = await createResilientHarness();
    begin(1);
    const tone = new Float32Array(2400).fill(0.5);
    clock.advance(1000);
    recorder.addSound('parley', tone);
    files.fill(0);
    recorder.record({ dir: 'in', connection: 1, text: heard('not written yet') });
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

  it('reports it once, keeps the text, and resumes sound when there is space', async () => {
    const { files, errors, recorder, runCheck, begin, texts, clock } =
      await createResilientHarness();
    begin(1);
    recorder.record({ dir: 'in', connection: 1, text: sound(...long) });
    files.fill(3000);
    clock.advance(1000);
    recorder.record({ dir: 'in', connection: 1, text: sound(...long) });
    recorder.record({ dir: 'in', connection: 1, text: heard('during') });
    await runCheck();
    clock.advance(500);
    recorder.record({ dir: 'in', connection: 1, text: sound(...long) });
    recorder.record({ dir: 'in', connection: 1, text: heard('still') });
    await runCheck();
    files.fill(Number.POSITIVE_INFINITY);
    await runCheck();
    recorder.record({ dir: 'in', connection: 1, text: heard('after') });
    recorder.record({ dir: 'in', connection: 1, text: sound(0.75) });
    recorder.record({ dir: 'end', connection: 1, end: { kind: 'closed', code: 1000, reason: '' } });
    expect(await recorder.close()).toMatchObject({ ok: false, error: { code: 'tapeGap' } });
    expect(errors.map(({ code }) => code)).toEqual(['tapeGap']);
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

  it('leaves a readable tape up to the gap if space never returns', async () => {
    const { files, errors, recorder, runCheck, begin, texts } = await createResilientHarness();
    begin(1);
    recorder.record({ dir: 'in', connection: 1, text: heard('before') });
    files.fill(0);
    recorder.record({ dir: 'in', connection: 1, text: sound(...long) });
    await runCheck();
    await runCheck();
    await recorder.close();
    expect(errors.map(({ code }) => code)).toEqual(['tapeGap']);
    const { all, damage } = await texts();
    expect({ last: all.at(-1), damage }).toEqual({ last: '0 1 before', damage: 'tapeUnfinished' });
  });

  it('records the whole talk if the disk was full only at the start', async () => {
    const { files, errors, recorder, runCheck, begin, texts } = await createResilientHarness(10);
    begin(1);
    await runCheck();
    files.fill(Number.POSITIVE_INFINITY);
    await runCheck();
    recorder.record({ dir: 'in', connection: 1, text: heard('later') });
    recorder.record({ dir: 'end', connection: 1, end: { kind: 'closed', code: 1000, reason: '' } });
    await recorder.close();
    expect(errors.map(({ code }) => code)).toEqual(['tapeLowSpace', 'tapeGap']);
    const { all, damage } = await texts();
    expect(damage).toBeUndefined();
    expect(all).toContain('0 1 session.created');
    expect(all.at(-2)).toBe('6000 1 later');
  });
});

it('a tape with a gap passes the check and counts the gap', async () => {
  const { files, recorder, runCheck, begin } = await createResilientHarness();
  begin(1);
  files.fill(0);
  recorder.record({ dir: 'in', connection: 1, text: sound(...long) });
  await runCheck();
  files.fill(Number.POSITIVE_INFINITY);
  await runCheck();
  recorder.record({ dir: 'end', connection: 1, end: { kind: 'closed', code: 1000, reason: '' } });
  await recorder.close();
  expect(await checkTape('/tapes/t', { files })).toMatchObject({
    value: { state: 'whole', gaps: 1 },
  });
});

it('a recorder warns once if there is less space than ten minutes need', async () => {
  const { errors, recorder } = await createResilientHarness(100_000_000);
  expect(errors).toMatchObject([{ code: 'tapeLowSpace', facts: { megabytes: 100 } }]);
  recorder.record({ dir: 'open', connection: 1 });
  expect(await recorder.close()).toEqual({ ok: true, value: undefined });
  expect(errors.length).toBe(1);
});

describe('a recorder closed before a cut connection reports its end', () => {
  it('writes the missing end', async () => {
    const { files, recorder, begin } = await createResilientHarness();
    begin(1);
    await recorder.close();
    const health = await checkTape('/tapes/t', { files });
    expect(health.ok && health.value.state).toBe('whole');
  });
});
