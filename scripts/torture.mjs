import { parseArgs } from 'node:util';
import { planE2e } from './lib/e2e-projects.mjs';
import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';

// Injects faults into a real Parley process: npm run torture -- [--seed S] [--minutes M | --window [--kills N]]

const usage =
  'Usage: npm run torture -- [--seed S] [--minutes M | --window [--kills N]]. Each is a number above 0.';

const options = () => {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string' },
        minutes: { type: 'string', default: '10' },
        window: { type: 'boolean', default: false },
        kills: { type: 'string', default: '50' },
      },
    });
    return values;
  } catch {
    throw new Stop(usage, 2);
  }
};

/**
 * @template T
 * @param {string} file
 * @returns {Promise<T>}
 */
const load = async (file) => {
  const module = await loadModule(inRoot('test', 'torture', file));
  return /** @type {T} */ (module);
};

/**
 * @param {number} seed
 * @param {number} kills
 */
const tortureWindow = async (seed, kills) => {
  await prepare();
  const { projects, skipped, env, end } = await planE2e();
  try {
    if (!projects.includes('desktop'))
      throw new Stop(
        skipped.find(({ project }) => project === 'desktop')?.reason ??
          'No window can be opened here.',
      );
    Object.assign(process.env, env);
    /** @type {typeof import('../test/torture/run-window-torture.ts')} */
    const module = await load('run-window-torture.ts');
    return await module.tortureWindow({ seed, kills, report: say });
  } finally {
    end();
  }
};

/**
 * @param {number} seed
 * @param {number} minutes
 */
const tortureCore = async (seed, minutes) => {
  /** @type {typeof import('../test/torture/run-torture.ts')} */
  const module = await load('run-torture.ts');
  return module.runTorture({ seed, minutes, say });
};

await main(async () => {
  const { seed, minutes, window, kills } = options();
  const firstSeed = Math.floor(Number(seed ?? 1 + Math.random() * 1_000_000));
  const [duration, killCount] = [Number(minutes), Math.floor(Number(kills))];
  if (![firstSeed, duration, killCount].every((number) => Number.isFinite(number) && number > 0))
    throw new Stop(usage, 2);
  const { faults, wrong } = window
    ? await tortureWindow(firstSeed, killCount)
    : await tortureCore(firstSeed, duration);
  for (const sentence of wrong) say(`Wrong: ${sentence}`);
  say(`${faults} faults, ${wrong.length} wrong.`);
  if (wrong.length > 0) process.exitCode = 1;
});
