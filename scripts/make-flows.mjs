import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';

// Records the fixtures of test/fixtures/flows again and prints the differences; --write replaces them.

/**
 * @template Module
 * @param {string} name
 * @returns {Promise<Module>}
 */
const fixtures = async (name) => {
  /** @type {Module} */
  const module = await loadModule(inRoot('test', 'fixtures', name));
  return module;
};

await main(async () => {
  const work = await mkdtemp(join(tmpdir(), 'parley-flows-'));
  // The user's own settings must not influence the fixtures.
  process.env['PARLEY_STATE_DIR'] = join(work, 'state');
  try {
    const [kept, made] = [inRoot('test', 'fixtures', 'flows'), join(work, 'flows')];
    /** @type {{ makeFlows: (target: string) => Promise<void> }} */
    const { makeFlows } = await fixtures('make-flows.ts');
    /** @type {{ compareFlows: (kept: string, made: string) => Promise<readonly string[]> }} */
    const { compareFlows } = await fixtures('compare-flows.ts');
    await makeFlows(made);
    const differences = await compareFlows(kept, made);
    for (const line of differences) say(line);
    if (differences.length === 0) say('The fixtures have not changed.');
    else if (process.argv.includes('--write')) {
      await rm(kept, { recursive: true });
      await cp(made, kept, { recursive: true });
      say('The fixtures were replaced.');
    } else {
      say('Nothing was written: npm run fixtures -- --write replaces them.');
      process.exitCode = 1;
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
});
