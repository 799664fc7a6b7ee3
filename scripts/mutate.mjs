import { Stryker } from '@stryker-mutator/core';
import { main } from './lib/main.mjs';
import { rootDir } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';

// Changes the code of a room, line by line, and sees whether its own tests notice: npm run mutate -- ROOM [FILE…]

/** Pure rooms, and the tests that belong to each. */
const rooms = {
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
  const room = Object.entries(rooms).find(([each]) => each === name)?.[1];
  if (room === undefined)
    throw new Stop(`npm run mutate -- ROOM [FILE…]: ${Object.keys(rooms).join(', ')}.`, 2);
  process.env['PARLEY_MUTATED_TESTS'] = room.tests.join(';');
  // Fewer random stories: each change would be told all of them.
  process.env['PARLEY_QUICK'] = 'yes';
  process.chdir(rootDir);
  const results = await new Stryker({
    mutate: files.length > 0 ? files : room.code,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // What is made once for all tests, as tables are, would need all of them for each change.
    ignoreStatic: true,
    // Beside others.
    concurrency: 1,
    timeoutMS: 10_000,
    reporters: ['progress-append-only', 'clear-text'],
    clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false },
    // It would be rewritten by means that TypeScript 7 does not have; only Vite reads ours.
    tsconfigFile: 'none',
    tempDirName: '.stryker-tmp',
    ignorePatterns: ['out', 'release', 'docs', 'electron/audio/native/build', 'test/e2e'],
    allowConsoleColors: false,
  }).runMutationTest();
  const noticed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  const missed = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const all = noticed.length + missed.length;
  say(
    `${name}: ${noticed.length} of ${all} noticed, ${((100 * noticed.length) / all).toFixed(1)} %.`,
  );
});
