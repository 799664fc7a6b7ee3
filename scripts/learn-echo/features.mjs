import { loadModule } from '../lib/load-module.mjs';
import { main } from '../lib/main.mjs';
import { inRoot } from '../lib/root.mjs';
import { say } from '../lib/say.mjs';
import { Stop, wrongUsage } from '../lib/stop.mjs';

// `node features.mjs TALKS FEATURES` computes the features of the echo suppressor's network for the talks that talks.py made, and
// deletes the talks.
await main(async () => {
  const [, , from, to] = process.argv;
  if (from === undefined || to === undefined)
    throw new Stop('Name two folders: node features.mjs TALKS FEATURES.', wrongUsage);
  /** @type {{ writeEchoFeatures: (from: string, to: string) => number }} */
  const module = await loadModule(inRoot('test', 'bench', 'recordings', 'echo-features.ts'));
  say(`${module.writeEchoFeatures(from, to)} steps of 10 ms`);
});
