import { describeError } from '../../shared/describe-error.ts';

/** What is said where a part that was being loaded is damaged. */
export function couldNotStart(error: unknown): string {
  return `Parley could not start (${describeError(error)}): if you changed nothing, delete node_modules and start it again.`;
}
