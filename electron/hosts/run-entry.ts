import { describeError } from '../../shared/harmless-text.ts';
import { processOutput } from '../app/process-output.ts';

/**
 * Loads and runs a host. It is loaded here and not imported at the top of an entry, because a
 * damaged package fails while it is being loaded, and that too has to end in a sentence.
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

/** What is said where a part that was being loaded is damaged. */
export function couldNotStart(error: unknown): string {
  return `Parley could not start (${describeError(error)}): if you changed nothing, delete node_modules and start it again.`;
}
