import { existsSync } from 'node:fs';
import { inRoot } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { checkGates, reportTally, runUnitTests } from './lib/check-source.mjs';
import { gates, gatesBetweenEdits } from './lib/gates.mjs';
import { main } from './lib/main.mjs';
import { nearestTests } from './lib/nearest-tests.mjs';
import { parseOptions } from './lib/options.mjs';
import { prepare } from './lib/prepare.mjs';
import { say } from './lib/say.mjs';
import { addUp, emptyTally } from './lib/tally.mjs';

// `npm run check` runs the quick gates, lints the edited files and runs the unit tests nearest to them. With `--all` it runs every
// gate, and every unit test but the slow ones.

/**
 * @param {readonly string[]} args
 * @returns {Promise<string[] | undefined>} undefined if git fails
 */
const linesOfGit = async (args) => {
  const { code, output } = await run('git', args);
  return code === 0 ? output.split('\n').filter((line) => line !== '') : undefined;
};

/**
 * Lists the files edited since the last commit, or by the last commit if there are none.
 * @returns {Promise<{ files: string[], whose: string } | undefined>} undefined outside of a git clone
 */
const changedFiles = async () => {
  const edited = await linesOfGit(['diff', '--name-only', 'HEAD']);
  const added = await linesOfGit(['ls-files', '--others', '--exclude-standard']);
  if (edited === undefined || added === undefined) return undefined;
  const now = [...edited, ...added];
  const isEdited = now.length > 0;
  const files = isEdited ? now : await linesOfGit(['diff', '--name-only', 'HEAD~1', 'HEAD']);
  return (
    files && {
      files: files.filter((file) => existsSync(inRoot(file))),
      whose: isEdited ? 'the edited files' : 'the files of the last commit, because none is edited',
    }
  );
};

const usage = 'Unknown option. Usage: npm run check [-- --all].';

/** The other projects start many programs, or wait for real servers, clocks and sound cards. */
const unitTests = ['--project=together', '--project=isolated'];

/** This many test files take about as long as the gates. */
const maxTestFiles = 8;

/** @param {readonly string[]} edited */
const testNearest = (edited) => {
  const dependent = nearestTests(edited);
  const nearest = dependent.slice(0, maxTestFiles);
  say(`Running ${nearest.length} of the ${dependent.length} unit test files that depend on them.`);
  return nearest.length === 0
    ? Promise.resolve(emptyTally)
    : runUnitTests(['run', '--passWithNoTests', ...unitTests, ...nearest], { isQuick: true });
};

await main(async () => {
  const { all } = parseOptions(usage, {
    options: { all: { type: 'boolean', default: false } },
  }).values;
  // The gates and unit tests read the sources, so nothing is built.
  await prepare({ for: 'run', build: false });
  const changed = all ? undefined : await changedFiles();
  if (changed === undefined) {
    const work = [checkGates(gates), runUnitTests(['run', ...unitTests], { isQuick: true })];
    return reportTally(addUp(await Promise.all(work)));
  }
  const { files, whose } = changed;
  const code = files.filter((file) => /\.(tsx?|mjs|cjs)$/.test(file));
  say(
    `Checking ${whose} (${files.length}). To run every gate, and every unit test but the slow ones: npm run check -- --all.`,
  );
  reportTally(addUp(await Promise.all([checkGates(gatesBetweenEdits(code)), testNearest(code)])));
});
