import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../../../shared/describe-error.ts';
import type { Log } from '../../ports/log.ts';
import { logText } from './log-text.ts';

interface Options {
  readonly maxFileBytes?: number;
  /** How many files there are at most, with the one that is being written. */
  readonly maxFiles?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Told once: from then on entries stand elsewhere only. */
  readonly failed: (reason: string) => void;
  /** Each time it cannot be written any more, or can again. */
  readonly changed?: (written: boolean) => void;
}

/** A disk that was full may have room again by then. */
const retryAfterMs = 60_000;

/**
 * `parley.log` in a folder, and what was written before it in `parley.1.log` and so on. Entries are
 * on the disk when `write` returns, because the next thing may be the end; there are few of them. The
 * file is found anew each time: another Parley writes to it too, and a person may delete it.
 */
export function createFileLog(
  folder: string,
  { maxFileBytes = 1_000_000, maxFiles = 3, now = Date.now, failed, changed }: Options,
): Log {
  const pathOf = (age: number): string =>
    join(folder, age === 0 ? 'parley.log' : `parley.${age}.log`);
  let failedAt: number | undefined;
  let told = false;

  const append = (line: string): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (sizeOf(pathOf(0)) + Buffer.byteLength(line) > maxFileBytes)
      rotate(pathOf, maxFiles, 2 * maxFileBytes);
    appendFileSync(pathOf(0), line, { mode: 0o600 });
  };
  return {
    write: (level, message) => {
      const at = now();
      if (failedAt !== undefined && Math.abs(at - failedAt) < retryAfterMs) return;
      try {
        const time = new Date(at).toISOString();
        append(`${time} ${process.pid} ${level}: ${logText(message)}\n`);
        const again = failedAt !== undefined;
        failedAt = undefined;
        if (again) changed?.(true);
      } catch (error) {
        const before = failedAt;
        // First, because whoever is told may have something for the log.
        failedAt = at;
        if (before === undefined) changed?.(false);
        if (!told) failed(describeError(error));
        told = true;
      }
    },
  };
}

/**
 * Deletes the oldest file and renames the others. A virus scanner on Windows may hold one open for a moment: then
 * `parley.log` grows until the next entry tries again, and at `mostBytes` what is in the way is deleted, so that the size stays bounded.
 */
function rotate(pathOf: (age: number) => string, maxFiles: number, mostBytes: number): void {
  for (let age = maxFiles - 1; age > 0; age -= 1) {
    if (sizeOf(pathOf(age - 1)) === 0) continue;
    try {
      renameSync(pathOf(age - 1), pathOf(age));
    } catch {
      if (sizeOf(pathOf(0)) < mostBytes) return;
      rmSync(pathOf(age - 1), { recursive: true, force: true });
    }
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
