import { ensureBuilt, forgetBuild } from './lib/build.mjs';
import { chooseHost, stopEarly } from './lib/choose-host.mjs';
import { askBeforeInstalling } from './lib/install-consent.mjs';
import { main } from './lib/main.mjs';
import { open } from './lib/open.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot } from './lib/root.mjs';
import { ended, say } from './lib/say.mjs';
import { parseStartArguments } from './lib/start-arguments.mjs';

const HELP = `npm run dev [-- options]

  --desktop, --browser, --port N, --no-sandbox, --yes   as for npm start

Changes to the renderer show at once; changes elsewhere restart the app.
`;

await main(async () => {
  const wish = parseStartArguments(process.argv.slice(2));
  if (wish.help) {
    process.stdout.write(HELP);
    return;
  }
  askBeforeInstalling(wish);
  await stopEarly(wish);
  await prepare({ build: false });
  const host = await chooseHost(wish);
  if (host.kind === 'desktop') {
    forgetBuild(); // electron-vite writes its development build to the same folder
    const tool = inRoot('node_modules', 'electron-vite', 'bin', 'electron-vite.js');
    const flags = host.flags.length === 0 ? [] : ['--', ...host.flags];
    return open(process.execPath, [tool, 'dev', '--watch', ...flags], {
      env: { ...process.env, ELECTRON_EXEC_PATH: host.executable },
    });
  }
  if (host.because !== null) {
    say(`Opening in the browser instead of a window: ${ended(host.because)}`);
  }
  await ensureBuilt();
  // Vite is there only now that the dependencies are.
  const { developInBrowser } = await import('./lib/dev-browser.mjs');
  return developInBrowser(wish.port ?? 0);
});
