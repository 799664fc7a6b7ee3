import { describe, expect, it } from 'vitest';
import { heard, createResilientHarness, long, sound } from './resilient-harness.ts';

describe('a recorder whose folder is deleted', () => {
  it('starts the new tape with the setup and state of the talk', async () => {
    const { files, recorder, runCheck, begin } = await createResilientHarness();
    const floor = (of: 'you' | 'parley') => ({ kind: 'floor', floor: of }) as const;
    recorder.record({ dir: 'event', event: floor('parley') });
    begin(1);
    recorder.record({ dir: 'event', event: { kind: 'interrupt' } });
    recorder.record({ dir: 'event', event: floor('you') });
    files.removeFolder('/tapes/t');
    await runCheck();
    recorder.record({ dir: 'end', connection: 1, end: { kind: 'closed', code: 1000, reason: '' } });
    await recorder.close();
    const text = files.text('/tapes/t/tape.ndjson');
    expect(text.split('"kind":"floor"').length).toBe(2);
    expect(text).toContain('{"kind":"floor","floor":"you"}');
    expect(text).not.toContain('interrupt');
  });

  it('reports it once and starts a new tape with the open connection’s handshake', async () => {
    const { files, errors, recorder, runCheck, begin, texts } = await createResilientHarness();
    begin(1);
    recorder.record({ dir: 'end', connection: 1, end: { kind: 'closed', code: 1006, reason: '' } });
    begin(2);
    recorder.record({ dir: 'in', connection: 2, text: sound(...long) });
    files.removeFolder('/tapes/t');
    recorder.record({ dir: 'in', connection: 2, text: heard('nowhere') });
    await runCheck();
    recorder.record({ dir: 'in', connection: 2, text: heard('on the new one') });
    files.removeFolder('/tapes/t');
    await runCheck();
    recorder.record({ dir: 'in', connection: 2, text: sound(0.5) });
    recorder.record({ dir: 'end', connection: 2, end: { kind: 'closed', code: 1000, reason: '' } });
    await recorder.close();
    expect(errors.map(({ code }) => code)).toEqual(['tapeLost']);
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

  it('waits if no new tape can be created yet', async () => {
    const { files, errors, recorder, runCheck, begin, texts } = await createResilientHarness();
    begin(1);
    files.removeFolder('/tapes/t');
    files.put('/tapes/t', 'a file in its place');
    await runCheck();
    await runCheck();
    files.remove('/tapes/t');
    await runCheck();
    recorder.record({ dir: 'in', connection: 1, text: heard('again') });
    await recorder.close();
    expect(errors.map(({ code }) => code)).toEqual(['tapeLost']);
    expect((await texts()).all).toEqual([
      '0 1 open',
      '0 1 session.init',
      '0 1 session.created',
      '0 1 again',
      '0 1 end',
    ]);
  });
});
