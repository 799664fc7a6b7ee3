import { defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };
import { TallyReporter } from './test/set-up/tally-reporter.ts';

export default defineConfig({
  define: { PARLEY_VERSION: JSON.stringify(manifest.version) },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/e2e/**'],
    setupFiles: ['test/set-up/guards.ts'],
    reporters: ['default', new TallyReporter()],
    testTimeout: 20_000,
  },
});
