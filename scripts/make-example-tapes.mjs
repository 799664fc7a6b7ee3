import { runnerImport } from 'vite';
import { main } from './lib/main.mjs';
import { inRoot, rootDir } from './lib/root.mjs';
import { say } from './lib/say.mjs';

// Makes resources/tapes anew, with the embedded server on a clock of its own. The product never runs this.

await main(async () => {
  /** @type {{ module: { makeExampleTapes: (speech: string, target: string) => Promise<void> } }} */
  const { module } = await runnerImport(inRoot('test', 'fixtures', 'example-tapes.ts'), {
    root: rootDir,
    configFile: false,
    logLevel: 'error',
  });
  await module.makeExampleTapes(inRoot('resources', 'speech'), inRoot('resources', 'tapes'));
  say('Made resources/tapes anew.');
});
