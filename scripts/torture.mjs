import { withScreen } from './lib/e2e-projects.mjs';
import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { parseOptions, parsePositive, parseSeed } from './lib/options.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';

// Injects faults into a real Parley process: npm run torture -- [--seed S] [--minutes M | --window [--kills N]]

const usage =
  'Usage: npm run torture -- [--seed S] [--minutes M | --window [--kills N]]. Each is a number above 0.';

/**
 * @param {number} seed
 * @param {number} kills
 */
const tortureWindow = async (seed, kills) => {
  await prepare();
  return withScreen(async () => {
    /** @type {typeof import('../test/torture/run-window-torture.ts')} */
    const module = await loadModule(inRoot('test', 'torture', 'run-window-torture.ts'));
    return module.tortureWindow({ seed, kills, report: say });
  });
};

/**
 * @param {number} seed
 * @param {number} minutes
 */
const tortureCore = async (seed, minutes) => {
  /** @type {typeof import('../test/torture/run-torture.ts')} */
  const module = await loadModule(inRoot('test', 'torture', 'run-torture.ts'));
  return module.runTorture({ seed, minutes, say });
};

await main(async () => {
  const { values } = parseOptions(usage, {
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      window: { type: 'boolean', default: false },
      kills: { type: 'string', default: '50' },
    },
  });
  const seed = parseSeed(usage, values.seed);
  const minutes = parsePositive(usage, values.minutes);
  const kills = parsePositive(usage, Math.floor(Number(values.kills)));
  const { faults, wrong } = values.window
    ? await tortureWindow(seed, kills)
    : await tortureCore(seed, minutes);
  for (const sentence of wrong) say(`Wrong: ${sentence}`);
  say(`${faults} faults, ${wrong.length} wrong.`);
  if (wrong.length > 0) process.exitCode = 1;
});
