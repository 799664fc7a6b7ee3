import { describeError } from '../../shared/sanitize-text.ts';
import { processOutput } from '../app/process-output.ts';

/** Loads and runs a host. It is loaded dynamically, so that a damaged package also ends with a sentence. */
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
