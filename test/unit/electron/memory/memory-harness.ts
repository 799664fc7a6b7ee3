import { MemoryStore } from '../../../../electron/memory/memory-store.ts';
import type { AppError } from '../../../../shared/errors/app-error.ts';
import { FakeStateFile } from '../../../fakes/fake-state-file.ts';
import { seeded } from '../../../fakes/seeded.ts';

/** A memory in a fake file. Two harnesses with the same disk are two processes. */
export function memoryHarness(disk = new Map<string, string>()) {
  const file = new FakeStateFile(disk, 'memory');
  let changes = 0;
  const failed: AppError[] = [];
  let now = 1_000_000;
  const store = new MemoryStore({
    file,
    wallClock: () => now,
    random: seeded(disk.size + 7),
    onChanged: () => {
      changes += 1;
    },
    onFailed: (error) => failed.push(error),
  });
  return {
    store,
    file,
    disk,
    changes: () => changes,
    failed,
    texts: () => store.sentences().map(({ text }) => text),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}
