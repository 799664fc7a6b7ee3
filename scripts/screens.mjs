import { writeGuidePages } from './lib/guide-pages.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';

// `npm run screens` takes a screenshot of every state of the window, into `screens`. With `guide` it makes the guide's
// pictures and pages, in `docs/guide`. With `installed` it packs the app and records README's animation.
const kinds = {
  guide: { test: 'guide-pictures', folder: ['docs', 'guide', 'pictures'] },
  installed: { test: 'installed-picture', folder: ['docs'] },
  states: { test: 'screens/screens', folder: ['screens'] },
};

await main(async () => {
  await prepare({ for: 'run', build: false });
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js');
  const config = `--config=${inRoot('test', 'screens', 'playwright.config.ts')}`;
  const kind = process.argv[2] ?? 'states';
  if (kind !== 'guide' && kind !== 'installed' && kind !== 'states')
    throw new Stop(
      'Choose one of states, guide and installed: npm run screens -- guide.',
      wrongUsage,
    );
  const { test, folder } = kinds[kind];
  if (kind === 'installed') {
    const packed = await run(process.execPath, [inRoot('scripts', 'dist.mjs'), 'dir']);
    if (packed.code !== 0) throw new Stop(packed.output);
  }
  const { code } = await run(process.execPath, [cli, 'test', test, config], { inherit: true });
  if (code !== 0) {
    process.exitCode = 1;
    return;
  }
  if (kind === 'guide') await writeGuidePages();
  say(`The pictures are in ${inRoot(...folder)}.`);
});
