import { defineConfig } from 'vitest/config';
import manifest from '../../package.json' with { type: 'json' };

/** The tests of one folder, for `npm run mutate`. */
export default defineConfig({
  define: { PARLEY_VERSION: JSON.stringify(manifest.version) },
  test: {
    include: (process.env['PARLEY_MUTATED_TESTS'] ?? '').split(';'),
    setupFiles: ['test/set-up/guards.ts'],
    isolate: false,
    testTimeout: 20_000,
  },
});
