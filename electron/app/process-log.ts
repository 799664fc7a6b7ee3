import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { sanitizeLine } from '../../shared/text.ts';
import { describeError } from '../../shared/errors/app-error.ts';
import type { CountingLog, Log, LogLevel, LogFolder, FileLog } from '../../shared/ports/log.ts';
import { stateFolder } from '../platform/files/state-folder.ts';
import { systemClock } from '../platform/system/system-clock.ts';
import { writeSafely } from './process-output.ts';

export function logFolder(folder: string = stateFolder()): string {
  return join(folder, 'logs');
}

/** The log of this process. Writes to stderr (stdout is for results) and, if possible, to a file in the log folder. */
export function composeLog(): CountingLog & Required<FileLog> {
  const stderr = createStreamLog(process.stderr);
  const path = logFolder();
  let isWritten = true;
  let listener: ((isWritable: boolean) => void) | undefined;
  const file = createFileLog(path, {
    onWritableChange: (isWritable) => {
      isWritten = isWritable;
      listener?.(isWritable);
    },
    onFirstFailure: (reason) =>
      stderr.write(
        'warn',
        `the log goes to stderr only, because ${path} cannot be written: ${reason}`,
      ),
  });
  const folder: LogFolder = {
    path,
    onWritableChange: (added) => {
      listener = added;
      if (!isWritten) added(false);
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
  return { ...log, folder };
}

/**
 * To a terminal, writes only warnings and errors. Clears the current line first, because a command may be showing its
 * progress there.
 */
export function createStreamLog(stream: Writable & { readonly isTTY?: boolean }): Log {
  const isTerminal = stream.isTTY === true;
  return {
    write: (level, message) => {
      if (isTerminal && level === 'info') return;
      const line = `parley ${level}: ${formatMessage(message)}\n`;
      writeSafely(stream, isTerminal ? `\r\u001b[K${line}` : line);
    },
  };
}

interface Options {
  readonly maxFileBytes?: number;
  /** Maximum number of files, including the current one. */
  readonly maxFiles?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly onFirstFailure: (reason: string) => void;
  /** Called each time writing starts to fail or works again. */
  readonly onWritableChange?: (isWritable: boolean) => void;
}

/**
 * After a failed write, entries are dropped for this time. The next entry then tries again, because a full disk may
 * have room.
 */
const retryAfterMs = 60_000;

/**
 * Appends to `parley.log` and rotates it to `parley.1.log` and so on. Writes synchronously, because a crash may
 * follow. Opens the file for each entry: another Parley writes to it too, and the user may delete it.
 */
export function createFileLog(
  folder: string,
  {
    maxFileBytes = 1_000_000,
    maxFiles = 3,
    now = Date.now,
    onFirstFailure,
    onWritableChange,
  }: Options,
): Log {
  const pathOf = (age: number): string =>
    join(folder, age === 0 ? 'parley.log' : `parley.${age}.log`);
  let failedAt: number | undefined;
  let isReported = false;

  const append = (line: string): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (fileSize(pathOf(0)) + Buffer.byteLength(line) > maxFileBytes)
      rotate(pathOf, maxFiles, 2 * maxFileBytes);
    appendFileSync(pathOf(0), line, { mode: 0o600 });
  };
  return {
    write: (level, message) => {
      const at = now();
      if (failedAt !== undefined && Math.abs(at - failedAt) < retryAfterMs) return;
      try {
        const time = new Date(at).toISOString();
        append(`${time} ${process.pid} ${level}: ${formatMessage(message)}\n`);
        const hadFailed = failedAt !== undefined;
        failedAt = undefined;
        if (hadFailed) onWritableChange?.(true);
      } catch (error) {
        const isNewFailure = failedAt === undefined;
        // Set first, because a callback may write to this log.
        failedAt = at;
        if (isNewFailure) onWritableChange?.(false);
        if (!isReported) onFirstFailure(describeError(error));
        isReported = true;
      }
    },
  };
}

/**
 * Deletes the oldest file and renames the others. If one cannot be renamed, because a virus scanner on Windows holds it
 * open, `parley.log` grows until a later entry can rename it. Once `parley.log` has `maxBytes`, the file that could not be
 * renamed is deleted.
 */
function rotate(pathOf: (age: number) => string, maxFiles: number, maxBytes: number): void {
  for (let age = maxFiles - 1; age > 0; age -= 1) {
    if (fileSize(pathOf(age - 1)) === 0) continue;
    try {
      renameSync(pathOf(age - 1), pathOf(age));
    } catch {
      if (fileSize(pathOf(0)) < maxBytes) return;
      rmSync(pathOf(age - 1), { recursive: true, force: true });
    }
  }
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

interface Repeated {
  readonly level: LogLevel;
  readonly message: string;
  readonly since: number;
  repeats: number;
}

const repeatWindowMs = 1000;
/** More different entries than this in a second are dropped. */
const maxPerSecond = 100;

/**
 * Writes a repeated entry once per second, and its count later, because a fault in a sound callback repeats
 * fifty times a second. No timer runs: the next entry or `flush` writes the count.
 */
export function limitRepeats(log: Log, now: () => number): CountingLog {
  const repeated = new Map<string, Repeated>();
  let dropped = 0;

  const flushUntil = (latest: number): void => {
    for (const [key, { level, message, since, repeats }] of repeated) {
      if (since > latest) continue;
      repeated.delete(key);
      if (repeats > 0) log.write(level, `${message} (repeated ${repeats} more times)`);
    }
    if (repeated.size > 0 || dropped === 0) return;
    log.write(
      'warn',
      `${dropped} log entries were dropped, because more than ${maxPerSecond} different ones came in one second`,
    );
    dropped = 0;
  };
  return {
    write: (level, message) => {
      const at = now();
      flushUntil(at - repeatWindowMs);
      const key = `${level} ${message}`;
      const entry = repeated.get(key);
      if (entry !== undefined) {
        entry.repeats += 1;
      } else if (repeated.size >= maxPerSecond) {
        dropped += 1;
      } else {
        repeated.set(key, { level, message, since: at, repeats: 0 });
        log.write(level, message);
      }
    },
    flush: () => flushUntil(Infinity),
  };
}

/** Maximum length of an entry, in characters. */
const maxLength = 4000;

/** Formats a message as one line without control characters or secrets. */
function formatMessage(message: string): string {
  const line = redactSecrets(sanitizeLine(message, maxLength * 2));
  return line.length > maxLength ? `${line.slice(0, maxLength)}… (${message.length})` : line;
}

/** Redacts secrets that a library's error quotes from an address or a header. */
function redactSecrets(text: string): string {
  return text
    .replaceAll(/(?<=\b[a-z][a-z\d+.-]*:\/\/)[^\s/@]+@/gi, '…@')
    .replaceAll(/(?<=\b[a-z][a-z\d+.-]*:\/\/[^\s?#]*)[?#][^\s)'"]*/gi, '?…')
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]{4,}/gi, '$1 …')
    .replaceAll(
      /\b(token|api[-_]?key|authorization|password|secret)(["']?\s*[:=]\s*["']?)(?!bearer |basic )[^\s"',;)]+/gi,
      '$1$2…',
    );
}
