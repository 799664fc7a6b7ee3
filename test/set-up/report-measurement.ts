import { isDefaultTier } from './test-tiers.ts';

/** Prints what a test measured. `npm test` prints only failures and its summary, so it leaves these lines out. */
export function reportMeasurement(line: string): void {
  if (!isDefaultTier) process.stdout.write(`${line}\n`);
}
