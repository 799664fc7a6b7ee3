import { defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };
import { loners, rooms, testsIn } from './test/set-up/rooms.ts';
import { ScenesFirst } from './test/set-up/scenes-first.ts';
import { TallyReporter } from './test/set-up/tally-reporter.ts';

const { together, apart } = rooms;

export default defineConfig({
  define: { PARLEY_VERSION: JSON.stringify(manifest.version) },
  test: {
    setupFiles: ['test/set-up/guards.ts'],
    reporters: ['default', new TallyReporter()],
    testTimeout: 20_000,
    sequence: { sequencer: ScenesFirst },
    // More than there are processors: the longest of them wait for sound, servers and clocks.
    maxWorkers: 4,
    projects: [
      {
        extends: true,
        test: { name: 'together', isolate: false, include: [testsIn(together)], exclude: [loners] },
      },
      { extends: true, test: { name: 'loners', include: [loners] } },
      { extends: true, test: { name: 'apart', include: [testsIn(apart)] } },
    ],
  },
});
