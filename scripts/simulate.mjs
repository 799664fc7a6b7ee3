import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';
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

/**
 * @param {number} seed
 * @param {ReadonlyMap<string, Uint8Array>} disk
 * @returns {Promise<string>}
 */
const save = async (seed, disk) => {
  const folder = await mkdtemp(join(tmpdir(), `parley-simulation-${seed}-`));
  for (const [path, bytes] of disk) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return folder;
};

/**
 * As one file: Vite's runner looks up everything imported each time that it is used, which would be a fifth of the time.
 *
 * @returns {Promise<typeof import('../test/simulation/run-simulation.ts')>}
 */
const load = async () => {
  const caches = inRoot('node_modules', '.cache');
  await mkdir(caches, { recursive: true });
  // In here, so that what is installed is found.
  const folder = await mkdtemp(join(caches, 'parley-simulation-'));
  try {
    await build({
      root: rootDir,
      configFile: false,
      logLevel: 'error',
      build: {
        ssr: inRoot('test', 'simulation', 'run-simulation.ts'),
        outDir: folder,
        rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'simulation.mjs' } },
      },
    });
    /** @type {typeof import('../test/simulation/run-simulation.ts')} */
    const simulation = await import(pathToFileURL(join(folder, 'simulation.mjs')).href);
    return simulation;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
  const { runSimulation } = await load();
  const allIsWell = await runSimulation({
    seed: Math.floor(numberOf(seed, 1 + Math.random() * 1_000_000)),
    minutes: hours === undefined ? numberOf(minutes, 60) : 60 * numberOf(hours, 1),
    say,
    // Of the processor: others may have it meanwhile.
    now: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    save,
  });
  if (!allIsWell) process.exitCode = 1;
});
