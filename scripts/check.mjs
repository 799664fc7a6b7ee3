import { parseArgs } from 'node:util';
import { changedFiles } from './lib/changed-files.mjs';
import { checkGates, reportTally, runUnitTests } from './lib/check-source.mjs';
import { gates, gatesBetweenEdits } from './lib/gates.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';
import { addUp, emptyTally } from './lib/tally.mjs';

// `npm run check` runs the quick gates, and lints the edited files and runs the unit tests that depend on them. With `--all` it runs
// every gate and every unit test.

const readOptions = () => {
  try {
    return parseArgs({ options: { all: { type: 'boolean', default: false } } }).values;
  } catch {
    throw new Stop('Unknown option. Usage: npm run check [-- --all].', 2);
  }
};

/** The other projects start many programs, or wait for real servers, clocks and sound cards. */
const unitTests = ['--project=together', '--project=isolated'];

/** @param {readonly string[]} files modules whose dependents Vitest finds */
const testDependents = (files) =>
  files.length === 0
    ? Promise.resolve(emptyTally)
    : runUnitTests(['related', '--run', '--passWithNoTests', ...unitTests, ...files], {
        isQuick: true,
      });

await main(async () => {
  const { all } = readOptions();
  // The gates and unit tests read the sources, so nothing is built.
  await prepare({ for: 'run', build: false });
  const changed = all ? undefined : await changedFiles();
  if (changed === undefined) {
    const work = [checkGates(gates), runUnitTests(['run', ...unitTests], { isQuick: true })];
    return reportTally(addUp(await Promise.all(work)));
  }
  const code = changed.filter((file) => /\.(tsx?|mjs|cjs)$/.test(file));
  say(
    `Checking ${changed.length} edited files. To run every gate and unit test: npm run check -- --all.`,
  );
  reportTally(
    addUp(await Promise.all([checkGates(gatesBetweenEdits(code)), testDependents(code)])),
  );
});
