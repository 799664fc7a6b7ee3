import { expect, it } from 'vitest';
import type { FakeFiles } from '../../../../fakes/fake-files.ts';
import { createResilientHarness, long, sound } from '../tape/resilient-harness.ts';

const listHeardEvents = (files: FakeFiles): readonly string[] =>
  files
    .text('/tapes/t/tape.ndjson')
    .split('\n')
    .filter((line) => line.includes('"kind":"heard"'))
    .map((line) => line.replace(/^.*"kind":"heard",|\}\}$/gu, ''));

it('heard samples on a tape with a gap leave out the missing sound', async () => {
  const { files, recorder, runCheck, begin } = await createResilientHarness();
  const heardOf = (turn: number, samples: number): void => {
    recorder.record({ dir: 'event', event: { kind: 'heard', turn, samples } });
  };
  const answer = (turn: number): void => {
    recorder.record({ dir: 'in', connection: 1, text: sound(...long) });
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
  expect(listHeardEvents(files)).toEqual([
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
  const restarted = listHeardEvents(files);
  recorder.record({ dir: 'end', connection: 1, end: { kind: 'closed', code: 1000, reason: '' } });
  await recorder.close();
  expect(restarted).toEqual(['"turn":1,"samples":600', '"turn":2,"samples":10']);
});
