import { parseArgs } from 'node:util';
import { checkGates, conclude, runUnitTests } from './lib/check-source.mjs';
import { openE2e } from './lib/e2e.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { Stop } from './lib/stop.mjs';
import { addUp, emptyTally } from './lib/tally.mjs';

// `npm test`: the gates, the tests of every room, and what shows that the window, the page and the package work. With `--all`
// (`npm run test:all`): every test. With `--only NAME`: the files whose path holds NAME, and no gates. Tests that cannot run
// here are listed with the reason.

const usage = 'npm test [-- --only NAME], or npm run test:all.';

const asked = () => {
  try {
    const { values } = parseArgs({
      options: { all: { type: 'boolean', default: false }, only: { type: 'string' } },
    });
    return values;
  } catch {
    throw new Stop(usage, 2);
  }
};

await main(async () => {
  const { all, only } = asked();
  process.env['PARLEY_CIRCLE'] = all || only !== undefined ? 'all' : 'usual';
  if (all) process.env['PARLEY_PACKAGED'] = 'all';
  await prepare({ for: 'test' });
  const e2e = await openE2e();
  try {
    // The tests of sound and time mostly wait: gates and package take what they leave of the processors.
    const aside = async () =>
      addUp([only === undefined ? await checkGates() : emptyTally, await e2e.pack()]);
    const first = await Promise.all([aside(), runUnitTests({ only, includesSlow: true })]);
    conclude(addUp([...first, await e2e.run(only)]));
  } finally {
    e2e.end();
  }
});
