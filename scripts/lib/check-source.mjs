import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGate, runSourceGates } from './gates.mjs';
import { rootDir } from './root.mjs';
import { run } from './run.mjs';
import { say } from './say.mjs';
import {
  addUp,
  emptyTally,
  describeFlakyTests,
  firstLine,
  countCrash,
  readReport,
  succeeded,
} from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

/**
 * @param {import('./gates.mjs').Gate} gate
 * @param {import('./gates.mjs').GateResult & { seconds: number }} result
 * @returns {Tally} of one test
 */
const tallyOf = ({ name: gate }, { passed, output, seconds }) => {
  const name = `gate ${gate}`;
  if (passed) return { ...emptyTally, passed: 1, slowest: [{ name, seconds }] };
  say(`FAILED  ${name}\n${output.trimEnd()}`);
  return { ...emptyTally, failed: [{ name, reason: firstLine(output) }] };
};

/**
 * Runs every chosen gate, even after a failure. Each counts as one test.
 * @param {readonly import('./gates.mjs').Gate[]} chosen
 * @returns {Promise<Tally>}
 */
export const checkGates = async (chosen) => {
  /** @type {Tally[]} */
  const tallies = [];
  const waiting = chosen.filter(({ script }) => script === undefined);
  const work = async () => {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      const began = performance.now();
      const result = await runGate(gate);
      const seconds = (performance.now() - began) / 1000;
      tallies.push(tallyOf(gate, { ...result, seconds }));
    }
  };
  const checkSources = async () => {
    const together = chosen.filter(({ script }) => script !== undefined);
    const results = together.length === 0 ? [] : await runSourceGates(together);
    for (const [index, gate] of together.entries())
      tallies.push(tallyOf(gate, /** @type {(typeof results)[number]} */ (results[index])));
    await work();
  };
  // Two at a time, because most gates use one processor.
  await Promise.all([work(), checkSources()]);
  return addUp(tallies);
};

/**
 * Runs Vitest.
 * @param {readonly string[]} args for Vitest
 * @param {{ isQuick?: boolean }} [options] if quick, property tests take a tenth of their random inputs
 * @returns {Promise<Tally>}
 */
export const runUnitTests = async (args, { isQuick = false } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-tally-'));
  const file = join(folder, 'vitest.json');
  const { code } = await run(
    process.execPath,
    [join(rootDir, 'node_modules/vitest/vitest.mjs'), ...args],
    {
      inherit: true,
      env: { ...process.env, PARLEY_TALLY: file, PARLEY_QUICK: isQuick ? 'yes' : '' },
    },
  );
  const tally = /** @type {Tally | undefined} */ (readReport(file)) ?? emptyTally;
  rmSync(folder, { recursive: true, force: true });
  return countCrash('vitest', tally, code);
};

/**
 * Prints the results, with the totals on the last line, and sets the exit code.
 * @param {Tally} tally
 */
export const reportTally = (tally) => {
  const { passed, failed, skipped, flaky, slowest } = tally;
  say('The slowest:');
  for (const { name, seconds } of slowest) say(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  for (const { name, reason } of skipped) say(`skipped: ${name}: ${reason}`);
  for (const fault of describeFlakyTests(tally)) say(fault);
  for (const { name, reason } of failed) say(`failed: ${name}: ${reason}`);
  process.exitCode = succeeded(tally) ? 0 : 1;
  const again = flaky.length === 0 ? '' : ` (${flaky.length} of them at the second try)`;
  process.stdout.write(
    `tests: ${passed} passed${again}, ${failed.length} failed, ${skipped.length} skipped\n`,
  );
};
