import { stripControlCharacters } from '../../shared/text.ts';
import { describeError } from '../../shared/errors/app-error.ts';
import type { CountingLog } from '../../shared/ports/log.ts';
import { processOutput } from '../app/process-output.ts';

interface HostEnding {
  readonly log: CountingLog;
  /** Shows the sentence to the user and closes what is open. */
  readonly end: (sentence: string) => void | Promise<void>;
  /** Whether an unhandled rejection is only logged. Otherwise it counts as an uncaught error. */
  readonly isLongRunning: boolean;
  /** Whether the user has something open that a single fault must not end. */
  readonly isOpen?: () => boolean;
}

/** How long `end` may take, which is longer than a user reads a dialog. */
const maxEndMs = 90_000;

/**
 * Logs uncaught errors with their stack, including those in native callbacks. Continues if the policy allows
 * (decision 31); otherwise shows a sentence and exits with 1.
 */
export function guardProcess({ log, end, isLongRunning, isOpen = () => false }: HostEnding): void {
  const policy = new FaultPolicy(() => performance.now());
  let isEnding = false;
  const finish = async (error: unknown): Promise<void> => {
    try {
      await end(`Parley hit a bug and has to close (${describeError(error)}). Start it again.`);
    } finally {
      exit();
    }
  };
  // The first output installs the error handlers of both streams, so that a closed reader is not a fault.
  processOutput.out('');
  processOutput.err('');
  process.on('exit', log.flush);
  process.on('uncaughtException', (error) => {
    // The fault may repeat, in a sound callback many times a second, while the message is shown.
    if (isEnding) return;
    log.write('error', `uncaught exception: ${stackOf(error)}`);
    if (policy.judge(describeError(error), isOpen()) === 'goOn') return;
    isEnding = true;
    process.exitCode = 1;
    log.flush();
    setTimeout(exit, maxEndMs).unref();
    void finish(error);
  });
  if (!isLongRunning) return;
  process.on('unhandledRejection', (reason) =>
    log.write('error', `unhandled rejection: ${stackOf(reason)}`),
  );
}

/** How hosts in a terminal show the sentence. */
export function printToStderr(sentence: string): void {
  processOutput.err(`${stripControlCharacters(sentence)}\n`);
}

function stackOf(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? describeError(error);
}

function exit(): void {
  process.exit(1);
}

export type FaultVerdict = 'goOn' | 'end';

const faultWindowMs = 60_000;
/**
 * More faults than this within `faultWindowMs` end the process: more than `maxSameFaults` with the same message, or
 * more than `maxFaults` in all.
 */
const maxSameFaults = 10;
const maxFaults = 30;

/**
 * Decides whether to continue. A single fault leaves the rest intact and should not end a talk. Repeated
 * faults, or faults before anything is open, end the process.
 */
export class FaultPolicy {
  readonly #now: () => number;
  #faults: readonly { readonly message: string; readonly at: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  judge(message: string, isOpen: boolean): FaultVerdict {
    const at = this.#now();
    this.#faults = [
      ...this.#faults.filter((fault) => at - fault.at < faultWindowMs),
      { message, at },
    ];
    if (!isOpen) return 'end';
    const count = this.#faults.filter((fault) => fault.message === message).length;
    return count > maxSameFaults || this.#faults.length > maxFaults ? 'end' : 'goOn';
  }
}

/**
 * Loads and runs a host. The import is dynamic, so that the user gets a sentence even if a file of the package is
 * damaged.
 */
export async function runEntry(load: () => Promise<() => number | Promise<number>>): Promise<void> {
  try {
    const run = await load();
    process.exitCode = await run();
  } catch (error) {
    process.exitCode = 1;
    processOutput.err(`${couldNotStart(error)}\n`);
  }
}

export function couldNotStart(error: unknown): string {
  return `Parley could not start (${describeError(error)}): if you changed nothing, delete node_modules and start it again.`;
}
