import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';

/** `npm run screens`: screenshots of every state; with `guide` the guide's pictures, with `installed` README's. */
export default defineConfig({
  testDir: '.',
  testMatch: ['screens.ts', 'guide-pictures.ts', 'installed-picture.ts'],
  outputDir: resolve('test-results/screens-run'),
  timeout: 900_000,
  workers: 1,
  reporter: [['list']],
});
