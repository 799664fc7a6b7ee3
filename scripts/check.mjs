import { checkGates, reportTally, runUnitTests } from './lib/check-source.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { addUp } from './lib/tally.mjs';

// `npm run check`: every gate and every quick test.
await main(async () => {
  await prepare({ for: 'run' });
  // In parallel, because people wait for this command.
  reportTally(addUp(await Promise.all([checkGates(), runUnitTests({ includesSlow: false })])));
});
