import { expect, it } from 'vitest';
import { ModelMemory } from '../../../../electron/app/model-memory.ts';
import { paceOf } from '../../../../electron/model/model-pace.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { FakeStateFile } from '../../../fakes/fake-state-file.ts';

const identity = { program: '/bin/omni', bytes: 7, changedMs: 8.5, folder: '/m' };
const load = { loadMs: 41_000, pace: paceOf(600, 950) };

/** A memory on this disk, as after a start, and the lines of its log. */
function openMemory(disk: Map<string, string>) {
  const log = new FakeLog();
  return { memory: new ModelMemory(new FakeStateFile(disk, 'model'), log), log };
}

it('a load is remembered only for the same program and model', async () => {
  const disk = new Map<string, string>();
  const { memory } = openMemory(disk);
  memory.remember(identity, load);
  await memory.settled();
  const later = openMemory(disk);
  expect(later.memory.recall(identity)).toEqual(load);
  expect(later.memory.recall({ ...identity, changedMs: 9 })).toBeUndefined();
  expect(later.memory.recall({ ...identity, folder: '/n' })).toBeUndefined();
  expect(later.log.lines).toEqual([]);
});

it.each(['{', '{"loadMs":-1}'])('a damaged file is ignored and logged: %s', (text) => {
  const { memory, log } = openMemory(new Map([['model.json', text]]));
  expect(memory.recall(identity)).toBeUndefined();
  expect(log.lines).toHaveLength(1);
});
