import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { parseOptions, parsePositive, parseSeed } from './lib/options.mjs';
import { fuzzNative, findClangProblem } from './lib/fuzz-native.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';

// Fuzzes the code that takes outside input, guided by coverage.

const usage =
  'Usage: npm run fuzz -- [--seed S] [--minutes M] [--only NAME] [--keep] | --replay FILE';

/** @returns {Promise<typeof import('../test/fuzz/run-fuzz.ts')>} */
const load = async () => {
  const module = await loadModule(inRoot('test', 'fuzz', 'run-fuzz.ts'));
  return /** @type {typeof import('../test/fuzz/run-fuzz.ts')} */ (module);
};

const nativeTarget = 'sound streams';

await main(async () => {
  const { values } = parseOptions(usage, {
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      only: { type: 'string', default: '' },
      keep: { type: 'boolean', default: false },
      replay: { type: 'string' },
    },
  });
  const { only, keep, replay } = values;
  const [seed, minutes] = [parseSeed(usage, values.seed), parsePositive(usage, values.minutes)];
  if (replay !== undefined) {
    await (await load()).replayFinding(replay);
    say('This input causes no fault.');
    return;
  }
  const findings = join(tmpdir(), 'parley-fuzz');
  say(`Seed ${seed}; findings are kept in ${findings}.`);
  const withNative = nativeTarget.includes(only);
  const clangProblem = withNative ? findClangProblem() : undefined;
  if (clangProblem !== undefined) say(`skipped: ${nativeTarget}: ${clangProblem}`);
  const { runFuzz } = await load();
  const nativeMinutes =
    withNative && clangProblem === undefined ? minutes / (only === '' ? 5 : 1) : 0;
  const found =
    nativeMinutes === 0
      ? []
      : await fuzzNative({ seed, minutes: nativeMinutes, findings, keep, say });
  const total = await runFuzz({
    seed,
    minutes: minutes - nativeMinutes,
    only,
    keep,
    findings,
    say,
  });
  if (total.targets === 0 && !withNative)
    throw new Stop(`No fuzz target has "${only}" in its name.`, wrongUsage);
  say(
    `${total.executions} executions of ${total.targets} targets, ${total.found + found.length} faults found.`,
  );
  for (const line of found) say(line);
  if (total.found + found.length > 0) process.exitCode = 1;
});
