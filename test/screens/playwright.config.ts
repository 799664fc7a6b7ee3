import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';

/** `npm run screens`: pictures of every state, to be looked at, or with `guide` those of the guide, with `installed` that of README. */
export default defineConfig({
  testDir: '.',
  testMatch: ['screens.ts', 'guide-pictures.ts', 'installed-picture.ts'],
  outputDir: resolve('test-results/screens-run'),
  timeout: 900_000,
  workers: 1,
  reporter: [['list']],
});
