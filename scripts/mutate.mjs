import { Stryker } from '@stryker-mutator/core';
import { main } from './lib/main.mjs';
import { rootDir } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';

// Mutation testing of one folder with its tests: npm run mutate -- FOLDER [FILE…]

const targets = {
  session: {
    code: ['electron/talk/session/**/*.ts'],
    tests: [
      'test/{unit,slow}/electron/talk/session/**/*.test.ts',
      'test/independent/session-*.test.ts',
    ],
  },
  playback: {
    code: ['electron/audio/playback/**/*.ts'],
    tests: ['test/{unit,slow}/electron/audio/playback/**/*.test.ts'],
  },
  captions: {
    code: ['electron/talk/captions/**/*.ts'],
    tests: ['test/unit/electron/talk/captions/**/*.test.ts'],
  },
  protocol: {
    code: ['shared/protocol/**/*.ts'],
    tests: ['test/unit/shared/protocol/**/*.test.ts', 'test/independent/document-*.test.ts'],
  },
};

await main(async () => {
  const [, , name = '', ...files] = process.argv;
  const target = Object.entries(targets).find(([each]) => each === name)?.[1];
  if (target === undefined)
    throw new Stop(
      `Usage: npm run mutate -- FOLDER [FILE…]. FOLDER is one of ${Object.keys(targets).join(', ')}.`,
      wrongUsage,
    );
  process.env['PARLEY_MUTATED_TESTS'] = target.tests.join(';');
  // Fewer random property cases, because each mutant runs all of them.
  process.env['PARLEY_QUICK'] = 'yes';
  process.chdir(rootDir);
  const results = await new Stryker({
    mutate: files.length > 0 ? files : target.code,
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
    `${name}: ${killed.length} of ${all} mutants killed, ${((100 * killed.length) / all).toFixed(1)} %.`,
  );
});
