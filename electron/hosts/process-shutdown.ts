import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describeError } from '../../shared/errors/app-error.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { Log } from '../../shared/ports/log.ts';

interface Limits {
  readonly eachMs?: number;
  readonly allMs?: number;
}

/**
 * The limits for closing one item and all of them. A session waits for its server, and a sound card takes time to
 * close.
 */
const eachMs = 2000;
const allMs = 5000;
/** The process is killed this long after the shutdown began. */
const killAfterMs = 7500;

/**
 * Ends what is open, the newest item first. An item that hangs is logged and abandoned, so that older ones, such as
 * settings being written, still end.
 */
export async function endInTime(lifetime: Lifetime, log: Log, limits: Limits = {}): Promise<void> {
  const over = new AbortController();
  // Each open item adds a listener, so there may be more than Node's usual limit.
  setMaxListeners(0, over.signal);
  const wait = (ms: number): Promise<void> =>
    delay(ms, undefined, { signal: over.signal }).catch(() => undefined);
  const ended = lifetime.end({
    timeout: () => wait(limits.eachMs ?? eachMs),
    onTimeout: (name) =>
      log.write('error', `shutdown: abandoned, because it did not close in time: ${name}`),
  });
  try {
    const first = await Promise.race([
      ended.then(() => 'ended'),
      wait(limits.allMs ?? allMs).then(() => 'late'),
    ]);
    if (first === 'late') log.write('error', 'shutdown timed out; exiting');
  } catch (error) {
    log.write('error', describeAll(error));
  } finally {
    // Ends the timers. If `ended` fails after the limit, that is ignored.
    over.abort();
    ended.catch(() => undefined);
  }
}

function describeAll(error: unknown): string {
  if (!(error instanceof AggregateError)) return describeError(error);
  return [error.message, ...error.errors.map(describeError)].join('; ');
}

/**
 * Kills this process after a delay. A worker thread keeps the time, because a native call that never returns
 * stops all timers of the main thread.
 */
export function killIfStuck(): void {
  const watch = `setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${killAfterMs})`;
  const worker = new Worker(watch, { eval: true, stdin: false });
  // If the worker fails, only this safeguard is missing.
  worker.on('error', () => undefined);
  worker.unref();
}

const starterVariable = 'PARLEY_ENDS_WITH_STARTER';

/**
 * Ends a host when the `npm start` that started it ends. `npm start` holds the other end of a channel, and says so in the
 * environment (scripts/lib/signals.mjs). It closes the channel to ask the host to end; the system closes the channel
 * when `npm start` was killed. A host that was started in another way keeps running.
 */
export function endWithStarter(end: () => void): void {
  const wasStarted = process.env[starterVariable] !== undefined;
  // Processes that this one starts inherit the environment, and must not end with `npm start`.
  delete process.env[starterVariable];
  if (!wasStarted) return;
  if (!process.connected) {
    end();
    return;
  }
  process.once('disconnect', end);
  // The listener must not keep the process alive.
  process.channel?.unref();
}

/** How long closed handles need to disappear, at most. */
const exitAfterMs = 500;

/** Exits if something still keeps the process alive after everything was closed, and logs what it is. */
export function exitIfAlive(log: Log): void {
  const timer = setTimeout(() => {
    log.write(
      'error',
      `these resources kept the process alive after shutdown: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    process.exit();
  }, exitAfterMs);
  // The timer itself must not keep the process alive.
  timer.unref();
}
