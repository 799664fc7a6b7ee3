import { expect, it } from 'vitest';
import { missingSoundServer } from '../contract/sound/sound-server.ts';
import { runTorture } from './run-torture.ts';

const missing = await missingSoundServer();
/** `PARLEY_TORTURE_MINUTES=3` for more than 200 faults. */
const minutes = Number(process.env['PARLEY_TORTURE_MINUTES'] ?? 0.75);
/** Random in every run; the title names it. */
const seed = Math.floor(Math.random() * 1_000_000);

it(
  `Parley passes every check between random faults (seed ${seed}, ${minutes} minutes)`,
  { timeout: 240_000 + 4 * minutes * 60_000 },
  async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    const { faults, checks, wrong } = await runTorture({ seed, minutes, say });
    // One string, so that the summary of failures shows every problem.
    expect(wrong.join('\n')).toBe('');
    expect(checks).toBeGreaterThan(3);
    expect(faults / minutes).toBeGreaterThan(60);
  },
);
