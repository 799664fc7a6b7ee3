import { composeLog } from '../../core/compose-log.ts';
import { guardProcess, sayOnStderr } from '../guard-process.ts';
import { processTerminal } from './process-terminal.ts';
import type { ProcessStarters } from './process-terminal.ts';
import { runTerminal } from './terminal.ts';

/** Runs one command with the streams and signals of this process; the number is its exit code. */
export function runInProcess(
  words: readonly string[],
  starters?: ProcessStarters,
): Promise<number> {
  guardProcess({ log: composeLog(), end: sayOnStderr, stays: false });
  return runTerminal(words, processTerminal(starters));
}
