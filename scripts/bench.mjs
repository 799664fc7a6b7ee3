import { readdirSync } from 'node:fs';
import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';

// `npm run bench` prints an overview, `npm run bench -- NAME` runs one bench in detail, and `npm run bench -- --list` lists them.
const suffix = '.bench.ts';

await main(async () => {
  const names = readdirSync(inRoot('test', 'bench'))
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length));
  const [, , first] = process.argv;
  if (first === '--list')
    return say(`Benches: ${names.join(', ')}. Run one with npm run bench -- NAME.`);
  const name = first === undefined || first.startsWith('--') ? 'overview' : first;
  if (!names.includes(name))
    throw new Stop(`Unknown bench "${name}". Choose one of ${names.join(', ')}.`, wrongUsage);
  /** @type {{ bench: () => void | Promise<void> }} */
  const module = await loadModule(inRoot('test', 'bench', `${name}${suffix}`));
  await module.bench();
});
