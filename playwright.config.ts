import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import type { HostOptions } from './test/e2e/fixtures/host-test.ts';
import {
  defaultSpecs,
  excludedTitles,
  isDefaultTier,
  specsNamed,
} from './test/set-up/test-tiers.ts';

// A project is a host. Each test file runs in every host, which is started for real.
// `*.browser.spec.ts` and `*.packaged.spec.ts` run only in theirs, `*.desktop.spec.ts` also in the package.
/** `npm test` gives each worker an X display, because windows on one display take the keyboard from each other. */
const screens = process.env['PARLEY_E2E_SCREENS']?.split(' ') ?? [];
const runner = process.env['TEST_PARALLEL_INDEX'] ?? '0';
const screen = screens[Number(runner)];
if (screen !== undefined) process.env['DISPLAY'] = screen;

/** Keeps the hosts' state out of the developer's own folder. */
process.env['PARLEY_STATE_DIR'] = resolve('test-results/state', runner);

/** `npm test` sets where the report goes. */
const tallyFile = process.env['PARLEY_TALLY'];

/** Tests of the page alone: the desktop app skips them, and so does the package when it runs every spec. */
const pageOnly = /@page\b/;

/** Usual runs on the package test what it may lack, because all specs take as long as the desktop's. */
const runsAllOnPackage = process.env['PARLEY_PACKAGED'] === 'all';
const packageSpecs =
  /(\.packaged|about-screen|(^|\/)computer|(^|\/)talk|vision|(native-parts|security|no-network|keyring)\.desktop)\.spec\.ts$/;

/** In `npm test` each host runs its list. */
const specsFor = (host: keyof typeof defaultSpecs) =>
  isDefaultTier ? { testMatch: specsNamed(defaultSpecs[host]) } : {};

export default defineConfig<HostOptions>({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  timeout: 180_000,
  // Long enough for a busy machine. Only a failing test waits so long.
  expect: { timeout: 40_000 },
  workers: Math.max(1, screens.length),
  forbidOnly: true,
  // `npm test` names each retried test, and fails on more than a few (scripts/lib/tally.mjs). Runs by hand do
  // not retry.
  retries: tallyFile === undefined ? 0 : 1,
  reporter: [
    [tallyFile === undefined ? 'list' : './test/e2e/quiet-reporter.ts'],
    ...(isDefaultTier ? [] : [['./test/e2e/measured-reporter.ts'] as const]),
    ['json', { outputFile: tallyFile ?? 'test-results/report.json' }],
  ],
  // A trace slows what it records, so only the second try has one.
  use: { trace: 'on-first-retry' },
  // The package first, because the longest test is there.
  projects: [
    {
      name: 'packaged',
      testMatch: runsAllOnPackage ? /\.spec\.ts$/ : packageSpecs,
      ...specsFor('packaged'),
      testIgnore: /\.browser\.spec\.ts$/,
      grepInvert: [...excludedTitles, ...(runsAllOnPackage ? [pageOnly] : [])],
      use: { host: 'packaged' },
    },
    {
      name: 'browser',
      ...specsFor('browser'),
      testIgnore: /\.(desktop|packaged)\.spec\.ts$/,
      grepInvert: excludedTitles,
      use: { host: 'browser' },
    },
    {
      name: 'desktop',
      ...specsFor('desktop'),
      testIgnore: /\.(browser|packaged)\.spec\.ts$/,
      grepInvert: [...excludedTitles, pageOnly],
      use: { host: 'desktop' },
    },
  ],
});
