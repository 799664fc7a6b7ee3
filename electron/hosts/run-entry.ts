import { processOutput } from '../core/process-output.ts';
import { couldNotStart } from './could-not-start.ts';

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
