import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { main } from './lib/main.mjs';
import { inRoot, rootDir } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';

// Lives Parley's talks in simulated worlds: npm run simulate -- [--seed S] [--minutes M | --hours H]

const usage = 'npm run simulate -- [--seed S] [--minutes M | --hours H], each a number above 0.';

/**
 * @param {string | undefined} text
 * @param {number} otherwise
 * @returns {number}
 */
const numberOf = (text, otherwise) => {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Stop(usage, 2);
  return value;
};

const options = () => {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string' },
        minutes: { type: 'string' },
        hours: { type: 'string' },
      },
    });
    return values;
  } catch {
    throw new Stop(usage, 2);
  }
};

await main(async () => {
  const { seed, minutes, hours } = options();
  /** @type {{ module: typeof import('../test/simulation/run-simulation.ts') }} */
  const { module } = await runnerImport(inRoot('test', 'simulation', 'run-simulation.ts'), {
    root: rootDir,
    configFile: false,
    logLevel: 'error',
  });
  const allIsWell = await module.runSimulation({
    seed: Math.floor(numberOf(seed, 1 + Math.random() * 1_000_000)),
    minutes: hours === undefined ? numberOf(minutes, 60) : 60 * numberOf(hours, 1),
    say,
    now: () => performance.now(),
  });
  if (!allIsWell) process.exitCode = 1;
});
