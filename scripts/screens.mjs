import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { say } from './lib/say.mjs';

// `npm run screens`: a picture of every state of the window, in the folder `screens`.
await main(async () => {
  await prepare({ for: 'run', build: false });
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js');
  const config = `--config=${inRoot('test', 'screens', 'playwright.config.ts')}`;
  const { code } = await run(process.execPath, [cli, 'test', config], { inherit: true });
  if (code === 0) say(`The pictures are in ${inRoot('screens')}.`);
  else process.exitCode = 1;
});
