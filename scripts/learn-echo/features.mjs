import { loadModule } from '../lib/load-module.mjs';
import { main } from '../lib/main.mjs';
import { inRoot } from '../lib/root.mjs';
import { say } from '../lib/say.mjs';
import { Stop } from '../lib/stop.mjs';

// `node features.mjs TALKS FEATURES`: what the canceller's network would be told of the talks that talks.py made. The talks are deleted.
await main(async () => {
  const [, , from, to] = process.argv;
  if (from === undefined || to === undefined) throw new Stop('Say two folders: TALKS FEATURES.', 2);
  /** @type {{ writeEchoFeatures: (from: string, to: string) => number }} */
  const module = await loadModule(inRoot('test', 'bench', 'recordings', 'echo-features.ts'));
  say(`${module.writeEchoFeatures(from, to)} steps of 10 ms`);
});
