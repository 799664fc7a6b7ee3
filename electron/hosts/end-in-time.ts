import { Worker } from 'node:worker_threads';
import { describeError } from '../../shared/describe-error.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { Log } from '../ports/log.ts';

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
  const patience = new Patience();
  const ended = lifetime.end({
    longEnough: () => patience.wait(limits.eachMs ?? eachMs),
    hangs: (name) => {
      log.write('error', `while ending, this did not close and is left behind: ${name}`);
    },
  });
  try {
    const first = await Promise.race([
      ended.then(() => 'ended'),
      patience.wait(limits.allMs ?? allMs).then(() => 'late'),
    ]);
    if (first === 'late') log.write('error', 'ending took too long, and waits for nothing more');
  } catch (error) {
    log.write('error', describeAll(error));
  } finally {
    patience.end();
    ended.catch(() => undefined);
  }
}

/** Waits that can all be cut short; what comes after that is not waited for. */
class Patience {
  readonly #waits = new Map<NodeJS.Timeout, () => void>();
  #over = false;

  wait(milliseconds: number): Promise<void> {
    if (this.#over) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waits.set(setTimeout(resolve, milliseconds), resolve);
    });
  }

  end(): void {
    this.#over = true;
    for (const [timer, resolve] of this.#waits) {
      clearTimeout(timer);
      resolve();
    }
    this.#waits.clear();
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
