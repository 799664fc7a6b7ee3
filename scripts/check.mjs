import { checkGates, conclude, runUnitTests } from './lib/check-source.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { addUp } from './lib/tally.mjs';

// `npm run check`: every gate, and every test that is quick.
await main(async () => {
  await prepare({ for: 'run' });
  conclude(addUp([await checkGates(), await runUnitTests({ slowOnes: false })]));
});
