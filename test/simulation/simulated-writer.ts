import { done, failure, type Failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Files, FileWriter } from '../../shared/ports/files.ts';
import type { DiskAccess } from './simulated-disk.ts';

export function openSimulatedWriter(
  access: DiskAccess,
  path: string,
  onError: Parameters<Files['create']>[1],
): FileWriter {
  const { disk } = access;
  let failed: Failure | undefined;
  let end = 0;
  let unwritten: (readonly [number, Uint8Array])[] = [];
  const write = (offset: number, bytes: Uint8Array): void => {
    if (access.killed) return;
    if (failed === undefined && disk.writeAt(path, offset, bytes)) return;
    unwritten.push([offset, bytes.slice()]);
    if (failed !== undefined) return;
    failed = failure('diskFull', { path });
    onError?.(failed.error);
  };
  const ended = (): Outcome<undefined> => failed ?? done;
  return {
    append: (bytes) => {
      const coded = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
      write(end, coded);
      end += coded.length;
    },
    writeAt: write,
    exists: () => disk.has(path),
    resume: () =>
      access.later(path, () => {
        const again = unwritten;
        unwritten = [];
        failed = undefined;
        for (const [offset, bytes] of again) write(offset, bytes);
        return ended();
      }),
    close: () => access.later(path, ended),
    discard: () =>
      access.later(path, () => {
        disk.remove(path);
        return done;
      }),
  };
}
