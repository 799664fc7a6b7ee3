import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';

// Makes resources/tapes anew, with the embedded server on a clock of its own. The product never runs this.

await main(async () => {
  /** @type {{ makeExampleTapes: (speech: string, target: string) => Promise<void> }} */
  const module = await loadModule(inRoot('test', 'fixtures', 'example-tapes.ts'));
  await module.makeExampleTapes(inRoot('resources', 'speech'), inRoot('resources', 'tapes'));
  say('Made resources/tapes anew.');
});
