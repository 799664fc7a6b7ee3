import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { fuzzNative, missingClang } from './lib/fuzz-native.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';

// Feeds what others may send to the code that takes it, led by what that code has not run yet.

const usage = 'npm run fuzz -- [--seed S] [--minutes M] [--only NAME] [--keep] | --replay FILE';

const options = () => {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string' },
        minutes: { type: 'string', default: '10' },
        only: { type: 'string', default: '' },
        keep: { type: 'boolean', default: false },
        replay: { type: 'string' },
      },
    });
    return values;
  } catch {
    throw new Stop(usage, 2);
  }
};

/** @returns {Promise<typeof import('../test/fuzz/run-fuzz.ts')>} */
const load = async () => {
  const module = await loadModule(inRoot('test', 'fuzz', 'run-fuzz.ts'));
  return /** @type {typeof import('../test/fuzz/run-fuzz.ts')} */ (module);
};

const native = 'sound streams';

await main(async () => {
  const { seed, minutes, only, keep, replay } = options();
  const [first, long] = [Number(seed ?? 1 + Math.random() * 1_000_000), Number(minutes)];
  if (![first, long].every((number) => Number.isFinite(number) && number > 0))
    throw new Stop(usage, 2);
  if (replay !== undefined) {
    await (await load()).replayFinding(replay);
    say('Nothing is wrong with it.');
    return;
  }
  const findings = join(tmpdir(), 'parley-fuzz');
  say(`Seed ${Math.floor(first)}; what is found is left in ${findings}.`);
  const withNative = native.includes(only);
  const missing = withNative ? missingClang() : undefined;
  if (missing !== undefined) say(`skipped: ${native}: ${missing}`);
  const { runFuzz } = await load();
  const part = withNative && missing === undefined ? long / (only === '' ? 5 : 1) : 0;
  const found =
    part === 0
      ? []
      : await fuzzNative({ seed: Math.floor(first), minutes: part, findings, keep, say });
  const sum = await runFuzz({
    seed: Math.floor(first),
    minutes: long - part,
    only,
    keep,
    findings,
    say,
  });
  if (sum.targets === 0 && !withNative)
    throw new Stop(`Nothing of that name is fuzzed: ${only}.`, 2);
  say(
    `${sum.executions} executions of ${sum.targets} targets, ${sum.found + found.length} faults found.`,
  );
  for (const line of found) say(line);
  if (sum.found + found.length > 0) process.exitCode = 1;
});
