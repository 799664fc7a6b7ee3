import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { main } from './lib/main.mjs';
import { inRoot, rootDir } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';

// Does to the real Parley what can be done to it: npm run torture -- [--seed S] [--minutes M]

const usage = 'npm run torture -- [--seed S] [--minutes M], each a number above 0.';

const options = () => {
  try {
    const { values } = parseArgs({
      options: { seed: { type: 'string' }, minutes: { type: 'string', default: '10' } },
    });
    return values;
  } catch {
    throw new Stop(usage, 2);
  }
};

await main(async () => {
  const { seed, minutes } = options();
  const numbers = [Number(seed ?? 1 + Math.random() * 1_000_000), Number(minutes)];
  if (!numbers.every((number) => Number.isFinite(number) && number > 0)) throw new Stop(usage, 2);
  const [first = 1, long = 10] = numbers;
  /** @type {{ module: typeof import('../test/torture/run-torture.ts') }} */
  const { module } = await runnerImport(inRoot('test', 'torture', 'run-torture.ts'), {
    root: rootDir,
    configFile: false,
    logLevel: 'error',
  });
  const { faults, wrong } = await module.runTorture({
    seed: Math.floor(first),
    minutes: long,
    say,
  });
  for (const sentence of wrong) say(`Wrong: ${sentence}`);
  say(`${faults} faults, ${wrong.length} wrong.`);
  if (wrong.length > 0) process.exitCode = 1;
});
