import { checkGates, conclude, runUnitTests } from './lib/check-source.mjs';
import { runE2e } from './lib/e2e.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { addUp } from './lib/tally.mjs';

// `npm test`: every gate and every test; what cannot run here is named with the reason.
await main(async () => {
  await prepare({ for: 'test' });
  conclude(addUp([await checkGates(), await runUnitTests({ slowOnes: true }), await runE2e()]));
});
