import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { describeError, harmlessLine } from '../../shared/harmless-text.ts';
import type { CountingLog, Log, LogLevel, LogPlace, PlacedLog } from '../../shared/ports/log.ts';
import { stateFolder } from '../platform/files/state-folder.ts';
import { systemClock } from '../platform/system/system-clock.ts';
import { writeSafely } from './process-output.ts';

/** In the state folder. */
export function logFolder(folder: string = stateFolder()): string {
  return join(folder, 'logs');
}

/** The one log of a process: on stderr, and in the log folder as far as that can be written. */
export function composeLog(): CountingLog & Required<PlacedLog> {
  const stderr = createStreamLog(process.stderr);
  const folder = logFolder();
  let isWritten = true;
  let hear: ((written: boolean) => void) | undefined;
  const file = createFileLog(folder, {
    changed: (written) => {
      isWritten = written;
      hear?.(written);
    },
    failed: (reason) =>
      stderr.write('warn', `the log is written here only, not in ${folder}: ${reason}`),
  });
  const place: LogPlace = {
    path: folder,
    watch: (watcher) => {
      hear = watcher;
      if (!isWritten) watcher(false);
    },
  };
  const log = limitRepeats(
    {
      write: (level, message) => {
        stderr.write(level, message);
        file.write(level, message);
      },
    },
    systemClock.now,
  );
  return { ...log, place };
}

/** One line an entry on a stream: stderr, so that stdout stays for results. */
export function createStreamLog(stream: Writable): Log {
  return {
    write: (level, message) => writeSafely(stream, `parley ${level}: ${logText(message)}\n`),
  };
}

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

interface Repeated {
  readonly level: LogLevel;
  readonly message: string;
  readonly since: number;
  more: number;
}

const withinMs = 1000;
/** More different entries in a second than these are a flood too. */
const maxPerSecond = 100;

/**
 * What comes again and again within a second is written once, and later with how often it came: a
 * fault in a callback of sound comes fifty times a second. No timer runs for it: the count is
 * written with the next entry, or when the log is flushed.
 */
export function limitRepeats(log: Log, now: () => number): CountingLog {
  const repeated = new Map<string, Repeated>();
  let dropped = 0;

  const flushUntil = (latest: number): void => {
    for (const [key, { level, message, since, more }] of repeated) {
      if (since > latest) continue;
      repeated.delete(key);
      if (more > 0) log.write(level, `${message} (and ${more} times more)`);
    }
    if (repeated.size > 0 || dropped === 0) return;
    log.write('warn', `${dropped} more entries came within a second and were not written`);
    dropped = 0;
  };
  return {
    write: (level, message) => {
      const at = now();
      flushUntil(at - withinMs);
      const key = `${level} ${message}`;
      const known = repeated.get(key);
      if (known !== undefined) {
        known.more += 1;
      } else if (repeated.size >= maxPerSecond) {
        dropped += 1;
      } else {
        repeated.set(key, { level, message, since: at, more: 0 });
        log.write(level, message);
      }
    },
    flush: () => flushUntil(Infinity),
  };
}

/** Whoever mends Parley needs no more of one entry. */
const maxLength = 4000;

/** A message as one line that nothing in it can break, forge or fill, and without what is secret in it. */
function logText(message: string): string {
  const line = withoutSecrets(harmlessLine(message, maxLength * 2));
  return line.length > maxLength ? `${line.slice(0, maxLength)}… (${message.length})` : line;
}

/** No caller writes a secret; what a library quotes of an address or a header is taken out here. */
function withoutSecrets(text: string): string {
  return text
    .replaceAll(/(?<=\b[a-z][a-z\d+.-]*:\/\/)[^\s/@]+@/gi, '…@')
    .replaceAll(/(?<=\b[a-z][a-z\d+.-]*:\/\/[^\s?#]*)[?#][^\s)'"]*/gi, '?…')
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]{4,}/gi, '$1 …')
    .replaceAll(
      /\b(token|api[-_]?key|authorization|password|secret)(["']?\s*[:=]\s*["']?)(?!bearer |basic )[^\s"',;)]+/gi,
      '$1$2…',
    );
}
