import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import type { HostOptions } from './test/e2e/fixtures/host-test.ts';
import { noPackageSpecs, packageSpecs, wholeOnPackage } from './test/e2e/fixtures/package-specs.ts';

// One file of tests, several hosts: a project is a host, and each starts it for real.
// `*.browser.spec.ts`, `*.desktop.spec.ts` and `*.packaged.spec.ts` look at what only those have.
/** `npm test` has a screen for each runner; windows on one would take the keyboard from each other. */
const screens = process.env['PARLEY_E2E_SCREENS']?.split(' ') ?? [];
const runner = process.env['TEST_PARALLEL_INDEX'] ?? '0';
const screen = screens[Number(runner)];
if (screen !== undefined) process.env['DISPLAY'] = screen;

/** What the hosts remember by themselves stays out of the person's own folder. */
process.env['PARLEY_STATE_DIR'] = resolve('test-results/state', runner);

/** `npm test` says where it wants the counts. */
const reportFile = process.env['PARLEY_TALLY'] ?? 'test-results/report.json';

/** Tests of what only the page does. It is the same page: they look at it in the browser host. */
const pageAlone = /@page\b/;

export default defineConfig<HostOptions>({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  // A busy machine may need more than the five seconds that are usual; what is there is not waited for.
  expect: { timeout: 20_000 },
  workers: Math.max(1, screens.length),
  forbidOnly: true,
  // Each is named, and more than a few fail the run: see scripts/lib/tally.mjs. By hand nothing is tried again.
  retries: process.env['PARLEY_TALLY'] === undefined ? 0 : 1,
  reporter: [
    ['list'],
    ['./test/e2e/measured-reporter.ts'],
    ['./test/e2e/package-reporter.ts'],
    ['json', { outputFile: reportFile }],
  ],
  projects: [
    { name: 'browser', testIgnore: /\.(desktop|packaged)\.spec\.ts$/, use: { host: 'browser' } },
    {
      name: 'desktop',
      testIgnore: /\.(browser|packaged)\.spec\.ts$/,
      grepInvert: pageAlone,
      use: { host: 'desktop' },
    },
    {
      name: 'packaged',
      testMatch: packageSpecs,
      testIgnore: noPackageSpecs,
      ...(wholeOnPackage ? { grepInvert: pageAlone } : {}),
      use: { host: 'packaged' },
    },
  ],
});
