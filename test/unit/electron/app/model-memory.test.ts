import { expect, it } from 'vitest';
import { ModelMemory } from '../../../../electron/app/model-memory.ts';
import { paceOf } from '../../../../electron/model/model-pace.ts';
import { done } from '../../../../shared/errors/app-error.ts';
import type { StateFile } from '../../../../shared/ports/files.ts';

const identity = { program: '/bin/omni', bytes: 7, changedMs: 8.5, folder: '/m' };
const load = { loadMs: 41_000, pace: paceOf(600, 950) };

class MemoryFile {
  text: string | undefined;
  warnings = 0;
  readonly file: StateFile = {
    read: () => ({ ok: true, value: this.text }),
    write: (text) => {
      this.text = text;
      return Promise.resolve(done);
    },
    backUp: () => ({ ok: true, value: '' }),
  };

  /** As after a restart. */
  open(): ModelMemory {
    return new ModelMemory(this.file, {
      write: () => {
        this.warnings += 1;
      },
    });
  }
}

it('remembers a load for the same program and model only', async () => {
  const file = new MemoryFile();
  const memory = file.open();
  memory.remember(identity, load);
  await memory.settled();
  expect(file.open().recall(identity)).toEqual(load);
  expect(file.open().recall({ ...identity, changedMs: 9 })).toBeUndefined();
  expect(file.open().recall({ ...identity, folder: '/n' })).toBeUndefined();
  expect(file.warnings).toBe(0);
});

it.each(['{', '{"loadMs":-1}'])('ignores a damaged file and logs a warning: %s', (text) => {
  const file = new MemoryFile();
  file.text = text;
  expect(file.open().recall(identity)).toBeUndefined();
  expect(file.warnings).toBe(1);
});
