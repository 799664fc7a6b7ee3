import { setMaxListeners } from 'node:events';
import { setTimeout as rest } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describeError } from '../../shared/harmless-text.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { Log } from '../../shared/ports/log.ts';

interface Limits {
  /** For one thing that is being closed. */
  readonly eachMs?: number;
  /** For everything. */
  readonly allMs?: number;
}

/** Closing a session takes the server's answer, and a sound card its time. */
const eachMs = 2000;
const allMs = 5000;
/** Beyond it nothing is asked any more. */
const killAfterMs = 7500;

/**
 * Ends what is open, whatever hangs: what does not close in time is named in the log and left to the
 * system, and what was opened before it (settings that are being written…) still gets its turn.
 */
export async function endInTime(lifetime: Lifetime, log: Log, limits: Limits = {}): Promise<void> {
  const over = new AbortController();
  // Everything that is open is waited for with one of its own.
  setMaxListeners(0, over.signal);
  const wait = (ms: number): Promise<void> =>
    rest(ms, undefined, { signal: over.signal }).catch(() => undefined);
  const ended = lifetime.end({
    longEnough: () => wait(limits.eachMs ?? eachMs),
    hangs: (name) =>
      log.write('error', `while ending, this did not close and is left behind: ${name}`),
  });
  try {
    const first = await Promise.race([
      ended.then(() => 'ended'),
      wait(limits.allMs ?? allMs).then(() => 'late'),
    ]);
    if (first === 'late') log.write('error', 'ending took too long, and waits for nothing more');
  } catch (error) {
    log.write('error', describeAll(error));
  } finally {
    // What comes after that is not waited for.
    over.abort();
    ended.catch(() => undefined);
  }
}

function describeAll(error: unknown): string {
  if (!(error instanceof AggregateError)) return describeError(error);
  return [error.message, ...error.errors.map(describeError)].join('; ');
}

/**
 * From now on this process has so long to end. The one who looks at the clock is a thread of its
 * own: a call into native code that never comes back stops every timer here.
 */
export function killIfStuck(afterMs: number = killAfterMs): void {
  const watch = `setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${afterMs})`;
  const worker = new Worker(watch, { eval: true, stdin: false });
  // Without it everything but the last way out is as before.
  worker.on('error', () => undefined);
  worker.unref();
}

const boundByStarter = 'PARLEY_ENDS_WITH_STARTER';

/**
 * Ends a host when the `npm start` that started it ends. `npm start` holds the other end of a channel, and says so in the
 * environment (scripts/lib/signals.mjs). It closes the channel to ask the host to end; the system closes the channel
 * when `npm start` was killed. A host that anybody else started goes on.
 */
export function endWithStarter(end: () => void): void {
  const bound = process.env[boundByStarter] !== undefined;
  // Processes that this one starts inherit the environment, and must not end with `npm start`.
  delete process.env[boundByStarter];
  if (!bound) return;
  if (!process.connected) {
    end();
    return;
  }
  process.once('disconnect', end);
  // Whoever listens to it would be held by it.
  process.channel?.unref();
}

/** Longer than what was just closed needs to be gone. */
const defaultAfterMs = 500;

/**
 * Everything that was opened is closed, and the process ends by itself. Where something still holds it, that is named in
 * the log, and it ends all the same: whoever asked for it to end waits for nothing.
 */
export function exitIfHeld(log: Log, afterMs = defaultAfterMs): void {
  const timer = setTimeout(() => {
    log.write(
      'error',
      `this held the process after its end: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    process.exit();
  }, afterMs);
  // It is none of what holds.
  timer.unref();
}
