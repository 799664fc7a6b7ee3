import { ensureBuilt, forgetBuild } from './lib/build.mjs';
import { chooseHost, checkDesktopEarly } from './lib/choose-host.mjs';
import { askBeforeInstalling } from './lib/apt.mjs';
import { main } from './lib/main.mjs';
import { open } from './lib/open.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot } from './lib/root.mjs';
import { withFullStop, say } from './lib/say.mjs';
import { parseStartArguments } from './lib/start-arguments.mjs';

const help = `npm run dev [-- options]

  --desktop, --browser, --port N, --no-sandbox, --yes   as for npm start

Changes to the renderer show at once; changes elsewhere restart the app.
`;

await main(async () => {
  const options = parseStartArguments(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(help);
    return;
  }
  askBeforeInstalling(options);
  await checkDesktopEarly(options);
  await prepare({ build: false });
  const host = await chooseHost(options);
  if (host.kind === 'desktop') {
    forgetBuild(); // electron-vite writes its development build to the same folder
    const tool = inRoot('node_modules', 'electron-vite', 'bin', 'electron-vite.js');
    const flags = host.flags.length === 0 ? [] : ['--', ...host.flags];
    return open(process.execPath, [tool, 'dev', '--watch', ...flags], {
      env: { ...process.env, ELECTRON_EXEC_PATH: host.executable },
    });
  }
  if (host.fallbackReason !== null) {
    say(`Opening in the browser instead of a window: ${withFullStop(host.fallbackReason)}`);
  }
  await ensureBuilt();
  // Imported here because Vite is a dependency, which `prepare` may have just installed.
  const { developInBrowser } = await import('./lib/dev-browser.mjs');
  return developInBrowser(options.port ?? 0);
});
