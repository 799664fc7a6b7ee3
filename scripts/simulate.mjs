import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { main } from './lib/main.mjs';
import { parseOptions, parsePositive, parseSeed } from './lib/options.mjs';
import { inRoot, rootDir } from './lib/root.mjs';
import { say } from './lib/say.mjs';

// Simulates talks with random faults, users and servers: npm run simulate -- [--seed S] [--minutes M | --hours H]

const usage =
  'Usage: npm run simulate -- [--seed S] [--minutes M | --hours H]. Each is a number above 0.';

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
 * Bundles the simulation into one file. Vite's module runner looks up imports at each use, which takes a fifth of the time.
 * @returns {Promise<typeof import('../test/simulation/run-simulation.ts')>}
 */
const load = async () => {
  const caches = inRoot('node_modules', '.cache');
  await mkdir(caches, { recursive: true });
  // Inside the project, so that imports of packages resolve.
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

await main(async () => {
  const { seed, minutes, hours } = parseOptions(usage, {
    options: { seed: { type: 'string' }, minutes: { type: 'string' }, hours: { type: 'string' } },
  }).values;
  const { runSimulation } = await load();
  const succeeded = await runSimulation({
    seed: parseSeed(usage, seed),
    minutes: parsePositive(usage, hours === undefined ? (minutes ?? 60) : 60 * Number(hours)),
    say,
    // Processor time, because other processes may use the machine.
    now: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    save,
  });
  if (!succeeded) process.exitCode = 1;
});
