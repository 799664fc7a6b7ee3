import { checkGates, conclude, runUnitTests } from './lib/check-source.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { addUp } from './lib/tally.mjs';

// `npm run check`: every gate, and every test that is quick.
await main(async () => {
  await prepare({ for: 'run' });
  // Side by side, as this is what one waits for; `npm test` takes one after the other.
  conclude(addUp(await Promise.all([checkGates(), runUnitTests({ includesSlow: false })])));
});
