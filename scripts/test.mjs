import { checkGates, reportTally, runUnitTests } from './lib/check-source.mjs';
import { openE2e } from './lib/e2e.mjs';
import { defaultGates, gates } from './lib/gates.mjs';
import { main } from './lib/main.mjs';
import { parseOptions } from './lib/options.mjs';
import { prepare } from './lib/prepare.mjs';
import { addUp, emptyTally } from './lib/tally.mjs';

// `npm test` runs most gates, and the tests that test/set-up/test-tiers.ts does not leave out. For end-to-end tests that file
// has a list per host. With `--all` (`npm run test:all`) it runs every test. With `--only NAME` it runs the test files whose
// path contains NAME, and no gates. Tests that cannot run here are listed with the reason.

const usage = 'Unknown option. Usage: npm test [-- --only NAME], or npm run test:all.';

await main(async () => {
  const { all, only } = parseOptions(usage, {
    options: { all: { type: 'boolean', default: false }, only: { type: 'string' } },
  }).values;
  process.env['PARLEY_TEST_TIER'] = all || only !== undefined ? 'all' : 'default';
  if (all) process.env['PARLEY_PACKAGED'] = 'all';
  await prepare({ for: 'test' });
  const e2e = await openE2e(only);
  try {
    // Tests of sound and time mostly wait, so gates and packaging use the idle processor time.
    const checkAndPack = async () =>
      addUp([
        only === undefined ? await checkGates(all ? gates : defaultGates) : emptyTally,
        await e2e.pack(),
      ]);
    const withoutE2e = await Promise.all([
      checkAndPack(),
      runUnitTests(['run', ...(only === undefined ? [] : [only, '--passWithNoTests'])]),
    ]);
    reportTally(addUp([...withoutE2e, await e2e.run()]));
  } finally {
    e2e.end();
  }
});
