import type { CountingLog, Log, LogLevel } from '../../ports/log.ts';

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
    flush: () => {
      flushUntil(Infinity);
    },
  };
}
