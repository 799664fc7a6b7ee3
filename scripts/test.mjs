import { checkGates, conclude, runUnitTests } from './lib/check-source.mjs';
import { openE2e } from './lib/e2e.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { addUp } from './lib/tally.mjs';

// `npm test`: every gate and every test; what cannot run here is named with the reason.
await main(async () => {
  await prepare({ for: 'test' });
  const e2e = await openE2e();
  try {
    // The tests of sound and time mostly wait: gates and package take what they leave of the processors.
    const aside = async () => addUp([await checkGates(), await e2e.pack()]);
    const first = await Promise.all([aside(), runUnitTests({ slowOnes: true })]);
    conclude(addUp([...first, await e2e.run()]));
  } finally {
    e2e.end();
  }
});
