import { writeGuidePages } from './lib/guide-pages.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { say } from './lib/say.mjs';

// `npm run screens`: a picture of every state of the window, in the folder `screens`. With `guide`: the guide's own
// pictures and its pages, in `docs/guide`.
await main(async () => {
  await prepare({ for: 'run', build: false });
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js');
  const config = `--config=${inRoot('test', 'screens', 'playwright.config.ts')}`;
  const guide = process.argv[2] === 'guide';
  const which = guide ? 'guide-pictures' : 'screens/screens';
  const { code } = await run(process.execPath, [cli, 'test', which, config], { inherit: true });
  if (code !== 0) {
    process.exitCode = 1;
    return;
  }
  if (guide) await writeGuidePages();
  say(`The pictures are in ${inRoot(...(guide ? ['docs', 'guide', 'pictures'] : ['screens']))}.`);
});
