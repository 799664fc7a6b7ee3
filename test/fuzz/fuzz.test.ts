import { expect, it } from 'vitest';
import { fuzzNative, findClangProblem } from '../../scripts/lib/fuzz-native.mjs';
import { workFolder } from '../fakes/work-folder.ts';
import { fuzzTargets, plantedTarget } from './fuzz-targets.ts';
import { runFuzz } from './run-fuzz.ts';

/** Half of the time is for the addon. `PARLEY_FUZZ_MINUTES=60` runs an hour. */
const minutes = Number(process.env['PARLEY_FUZZ_MINUTES'] ?? 1) / 2;
/** Random in every run; the titles name it. */
const seed = Math.floor(Math.random() * 1_000_000);
const timeout = 240_000 + 4 * minutes * 60_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

it(
  `the fuzzer finds a planted word by coverage in two million executions (seed ${seed})`,
  { timeout },
  async () => {
    const findings = workFolder()('findings');
    const only = plantedTarget.name;
    const executions: number[] = [];
    // Typically sixty thousand executions; one run in thirty needs millions, so the median of three runs is checked.
    for (let run = 0; run < 3; run += 1) {
      const sum = await runFuzz({ seed: seed + run, minutes: 2, only, keep: false, findings, say });
      expect(sum.found).toBe(1);
      executions.push(sum.executions);
    }
    expect(executions.toSorted((one, other) => one - other)[1]).toBeLessThan(2_000_000);
  },
);

it(`no entry point throws on fuzzed input (seed ${seed})`, { timeout }, async () => {
  const findings = workFolder()('findings');
  const { targets, executions, found } = await runFuzz({
    seed,
    minutes,
    only: '',
    keep: false,
    findings,
    say,
  });
  expect(found).toBe(0);
  expect(targets).toBe(fuzzTargets.length);
  expect(executions / targets).toBeGreaterThan(20);
});

it(`the sound addon has no fault on fuzzed input (seed ${seed})`, { timeout }, async ({ skip }) => {
  const missing = findClangProblem();
  if (missing !== undefined) skip(missing);
  const findings = workFolder()('findings');
  expect(await fuzzNative({ seed, minutes, findings, keep: false, say })).toEqual([]);
});
