import { runnerImport } from 'vite';
import { main } from '../lib/main.mjs';
import { inRoot, rootDir } from '../lib/root.mjs';
import { say } from '../lib/say.mjs';
import { Stop } from '../lib/stop.mjs';

// `node features.mjs TALKS FEATURES`: what the canceller's network would be told of the talks that talks.py made. The talks are deleted.
await main(async () => {
  const [, , from, to] = process.argv;
  if (from === undefined || to === undefined) throw new Stop('Say two folders: TALKS FEATURES.', 2);
  /** @type {{ module: { writeEchoFeatures: (from: string, to: string) => number } }} */
  const { module } = await runnerImport(inRoot('test', 'bench', 'recordings', 'echo-features.ts'), {
    root: rootDir,
    configFile: false,
    logLevel: 'error',
  });
  say(`${module.writeEchoFeatures(from, to)} steps of 10 ms`);
});
