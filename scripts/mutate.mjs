import { existsSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { main } from './lib/main.mjs';
import { rootDir } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';

// Mutation testing of a folder with the unit tests of the same path: npm run mutate -- FOLDER [FILE…]

/** @type {Readonly<Record<string, readonly string[]>>} further tests of a folder */
const furtherTests = {
  'electron/talk/session': [
    'test/independent/document-checks.test.ts',
    'test/unit/electron/chat/{open-thread,answer-player}.test.ts',
  ],
  'shared/protocol': ['test/independent/document-checks.test.ts'],
};

await main(async () => {
  const [, , folder = '', ...files] = process.argv;
  const tests = [`test/{unit,slow}/${folder}/**/*.test.ts`, ...(furtherTests[folder] ?? [])];
  if (folder === '' || !existsSync(`${rootDir}/test/unit/${folder}`))
    throw new Stop(
      'Usage: npm run mutate -- FOLDER [FILE…]. FOLDER has tests under test/unit, such as electron/talk/session.',
      wrongUsage,
    );
  process.env['PARLEY_MUTATED_TESTS'] = tests.join(';');
  // Fewer random property cases, because each mutant runs all of them.
  process.env['PARLEY_QUICK'] = 'yes';
  process.chdir(rootDir);
  const results = await new Stryker({
    mutate: files.length > 0 ? files : [`${folder}/**/*.ts`],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // A mutant in static code, such as a table, would need every test.
    ignoreStatic: true,
    concurrency: 1,
    timeoutMS: 10_000,
    reporters: ['progress-append-only', 'clear-text'],
    clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false },
    // Stryker would rewrite the tsconfig with an API that TypeScript 7 does not have. Only Vite reads it here.
    tsconfigFile: 'none',
    tempDirName: '.stryker-tmp',
    ignorePatterns: ['out', 'release', 'docs', 'electron/audio/native/build', 'test/e2e'],
    allowConsoleColors: false,
  }).runMutationTest();
  const killed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  const survived = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const all = killed.length + survived.length;
  say(
    `${folder}: ${killed.length} of ${all} mutants killed, ${((100 * killed.length) / all).toFixed(1)} %.`,
  );
});
