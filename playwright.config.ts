import { defineConfig } from '@playwright/test';
import type { HostOptions } from './test/e2e/fixtures/host.ts';

// One file of tests, several hosts: a project is a host, and each starts it for real.
// `*.browser.spec.ts` and `*.desktop.spec.ts` look at what only the one or the other has.
export default defineConfig<HostOptions>({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  workers: 1,
  forbidOnly: true,
  reporter: [['list']],
  projects: [
    { name: 'browser', testIgnore: /\.desktop\.spec\.ts$/, use: { host: 'browser' } },
    { name: 'desktop', testIgnore: /\.browser\.spec\.ts$/, use: { host: 'desktop' } },
    { name: 'packaged', testIgnore: /\.browser\.spec\.ts$/, use: { host: 'packaged' } },
  ],
});
