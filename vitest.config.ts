import { defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };
import { excludedFiles, isDefaultTier, nightlyTag } from './test/set-up/test-tiers.ts';
import {
  isolatedTests,
  separateTests,
  soundTests,
  testGroups,
  testsIn,
} from './test/set-up/test-groups.ts';
import { ScenesFirst } from './test/set-up/scenes-first.ts';
import { TallyReporter } from './test/set-up/tally-reporter.ts';

const { together, slow, apart } = testGroups;
/** The commands that add up several runners say where they want the counts. */
const tallyFile = process.env['PARLEY_TALLY'];

export default defineConfig({
  define: { PARLEY_VERSION: JSON.stringify(manifest.version) },
  test: {
    setupFiles: ['test/set-up/guards.ts'],
    reporters: tallyFile === undefined ? ['default'] : [new TallyReporter(tallyFile)],
    silent: tallyFile === undefined ? false : 'passed-only',
    // Only a hanging test waits so long. On a busy machine, three seconds of processor time take half a minute.
    testTimeout: 60_000,
    // `npm test` names each retried test, and fails on more than a few (scripts/lib/tally.mjs).
    retry: tallyFile === undefined ? 0 : 1,
    // A busy machine may need more than the default second.
    expect: { poll: { timeout: 15_000 } },
    experimental: { fsModuleCache: true },
    sequence: { sequencer: ScenesFirst },
    ...(isDefaultTier ? { testNamePattern: new RegExp(`^(?!.*${nightlyTag})`) } : {}),
    // Groups run one after another, each with as many processes as it can use.
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          isolate: false,
          include: [testsIn(together)],
          exclude: [isolatedTests],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          isolate: false,
          // They compute, which takes several times as long on a busy machine.
          testTimeout: 120_000,
          include: [testsIn(slow)],
          exclude: excludedFiles,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include: [isolatedTests], sequence: { groupOrder: 3 } },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          // A new process and its modules cost a file two seconds of processor time.
          isolate: false,
          include: [testsIn(apart)],
          exclude: [separateTests, soundTests, ...excludedFiles],
          // These tests mostly wait, so four fit even on two processors.
          maxWorkers: 4,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: 'separate',
          include: [separateTests],
          exclude: excludedFiles,
          maxWorkers: 4,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: 'sound',
          include: [soundTests],
          exclude: excludedFiles,
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
