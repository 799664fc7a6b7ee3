import { harmlessText } from '../../shared/harmless-text.ts';
import { describeError } from '../../shared/describe-error.ts';

interface HostEnding {
  /** Says the sentence to people, and closes what is open. */
  readonly end: (sentence: string) => void | Promise<void>;
  /** Work that failed and that nobody waited for is logged, and all else goes on. */
  readonly stays: boolean;
}

/** Longer than anybody looks at a box with a sentence in it. */
const longestEndMs = 90_000;

/**
 * What nobody has caught, also in a call that came from native code, is the end: what is still true
 * then nobody knows. The log gets the stack, people get a sentence, and the exit code is 1.
 */
export function guardProcess({ end, stays }: HostEnding): void {
  let ending = false;
  const finish = async (error: unknown): Promise<void> => {
    try {
      await end(`Parley has a fault and must end (${describeError(error)}): start it again.`);
    } finally {
      exit();
    }
  };
  process.on('uncaughtException', (error) => {
    // What failed goes on failing while people read why, many times a second where it is sound.
    if (ending) return;
    ending = true;
    process.exitCode = 1;
    logStack('nobody has caught', error);
    setTimeout(exit, longestEndMs).unref();
    void finish(error);
  });
  if (!stays) return;
  process.on('unhandledRejection', (reason) => {
    logStack('nobody has waited for', reason);
  });
}

/** For hosts whose people read a terminal. */
export function sayOnStderr(sentence: string): void {
  process.stderr.write(`${harmlessText(sentence)}\n`);
}

/** With all its lines, and without the core's log: it may be the core that is broken. */
function logStack(what: string, error: unknown): void {
  const text = error instanceof Error ? error.stack : undefined;
  process.stderr.write(`parley error: ${what}: ${harmlessText(text ?? describeError(error))}\n`);
}

function exit(): void {
  process.exit(1);
}
