import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';

// Records the fixtures of test/fixtures/flows again and prints the differences; --write replaces them.

await main(async () => {
  const work = await mkdtemp(join(tmpdir(), 'parley-flows-'));
  // The user's own settings must not influence the fixtures.
  process.env['PARLEY_STATE_DIR'] = join(work, 'state');
  try {
    const [stored, recorded] = [inRoot('test', 'fixtures', 'flows'), join(work, 'flows')];
    /** @type {{ makeFlows: (target: string) => Promise<void>, compareFlows: (stored: string, recorded: string) => Promise<readonly string[]> }} */
    const { makeFlows, compareFlows } = await loadModule(
      inRoot('test', 'fixtures', 'make-flows.ts'),
    );
    await makeFlows(recorded);
    const differences = await compareFlows(stored, recorded);
    for (const line of differences) say(line);
    if (differences.length === 0) say('The recordings are the same as the fixtures.');
    else if (process.argv.includes('--write')) {
      await rm(stored, { recursive: true });
      await cp(recorded, stored, { recursive: true });
      say('The fixtures were replaced.');
    } else {
      say('The fixtures are unchanged. To replace them: npm run fixtures -- --write');
      process.exitCode = 1;
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
});
