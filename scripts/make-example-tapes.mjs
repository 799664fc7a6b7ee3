import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';

// Regenerates resources/tapes with the embedded server on a simulated clock. The product only reads the result.

await main(async () => {
  /** @type {{ makeExampleTapes: (speech: string, target: string) => Promise<void> }} */
  const module = await loadModule(inRoot('test', 'fixtures', 'example-tapes.ts'));
  await module.makeExampleTapes(inRoot('resources', 'speech'), inRoot('resources', 'tapes'));
  say('Regenerated resources/tapes.');
});
