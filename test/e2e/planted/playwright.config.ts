import { defineConfig } from '@playwright/test';
import type { HostOptions } from '../fixtures/host-test.ts';

// Run by fixtures.spec.ts, to test what the fixtures do with failing tests.
export default defineConfig<HostOptions>({
  testDir: '.',
  testMatch: '*.planted.ts',
  workers: 1,
  projects: [
    { name: 'browser', use: { host: 'browser' } },
    { name: 'desktop', use: { host: 'desktop' } },
    { name: 'packaged', use: { host: 'packaged' } },
  ],
});
