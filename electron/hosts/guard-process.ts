import { describeError, harmlessText } from '../../shared/harmless-text.ts';
import type { CountingLog } from '../../shared/ports/log.ts';
import { processOutput } from '../app/process-output.ts';

interface HostEnding {
  readonly log: CountingLog;
  /** Says the sentence to people, and closes what is open. */
  readonly end: (sentence: string) => void | Promise<void>;
  /** Work that failed and that nobody waited for is logged, and all else goes on. */
  readonly stays: boolean;
  /** There is something that a person uses, and that a single fault is not to take away. */
  readonly isOpen?: () => boolean;
}

/** Longer than anybody looks at a box with a sentence in it. */
const longestEndMs = 90_000;

/**
 * What nobody has caught, also in a call that came from native code, is written down with its stack.
 * Where it can be survived all else goes on (decision 31); else people get a sentence, and the exit
 * code is 1.
 */
export function guardProcess({ log, end, stays, isOpen = () => false }: HostEnding): void {
  const policy = new FaultPolicy(() => performance.now());
  let ending = false;
  const finish = async (error: unknown): Promise<void> => {
    try {
      await end(`Parley has a fault and must end (${describeError(error)}): start it again.`);
    } finally {
      exit();
    }
  };
  // Before anything is written: from here on a reader that goes is no fault.
  processOutput.out('');
  processOutput.err('');
  process.on('exit', log.flush);
  process.on('uncaughtException', (error) => {
    // What failed goes on failing while people read why, many times a second where it is sound.
    if (ending) return;
    log.write('error', `nobody has caught: ${stackOf(error)}`);
    if (policy.judge(describeError(error), isOpen()) === 'goOn') return;
    ending = true;
    process.exitCode = 1;
    log.flush();
    setTimeout(exit, longestEndMs).unref();
    void finish(error);
  });
  if (!stays) return;
  process.on('unhandledRejection', (reason) =>
    log.write('error', `nobody has waited for: ${stackOf(reason)}`),
  );
}

/** For hosts whose people read a terminal. */
export function sayOnStderr(sentence: string): void {
  processOutput.err(`${harmlessText(sentence)}\n`);
}

function stackOf(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? describeError(error);
}

function exit(): void {
  process.exit(1);
}

/** What is to be done about a fault that nobody has caught. */
export type FaultVerdict = 'goOn' | 'end';

const withinMs = 60_000;
/** What comes more often is not one unlucky event but something that is broken for good. */
const mostOfOne = 10;
const mostOfAll = 30;

/**
 * One fault in a listener, a timer or a request leaves all else as it was, and a talk is worth more
 * than certainty about it. What goes on failing, or fails before anything is there for a person to
 * use, is the end.
 */
export class FaultPolicy {
  readonly #now: () => number;
  #faults: readonly { readonly what: string; readonly at: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  judge(what: string, open: boolean): FaultVerdict {
    const at = this.#now();
    this.#faults = [...this.#faults.filter((fault) => at - fault.at < withinMs), { what, at }];
    if (!open) return 'end';
    const same = this.#faults.filter((fault) => fault.what === what).length;
    return same > mostOfOne || this.#faults.length > mostOfAll ? 'end' : 'goOn';
  }
}
