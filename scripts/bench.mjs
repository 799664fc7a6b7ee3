import { readdirSync } from 'node:fs';
import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';

// `npm run bench`: everything on one page; `npm run bench -- <name>`: one thing at length; `-- --list` says which.
const ending = '.bench.ts';

await main(async () => {
  const names = readdirSync(inRoot('test', 'bench'))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length));
  const [, , first] = process.argv;
  if (first === '--list') return say(`Benches: ${names.join(', ')}. Run npm run bench -- <name>.`);
  const name = first === undefined || first.startsWith('--') ? 'overview' : first;
  if (!names.includes(name)) throw new Stop(`There is no bench ${name}: ${names.join(', ')}.`, 2);
  /** @type {{ bench: () => void | Promise<void> }} */
  const module = await loadModule(inRoot('test', 'bench', `${name}${ending}`));
  await module.bench();
});
