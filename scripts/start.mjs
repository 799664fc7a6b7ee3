import { chooseHost, checkDesktopEarly } from './lib/choose-host.mjs';
import { askBeforeInstalling } from './lib/install-consent.mjs';
import { main } from './lib/main.mjs';
import { openWindow } from './lib/open-window.mjs';
import { open } from './lib/open.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot, rootDir } from './lib/root.mjs';
import { withFullStop, say } from './lib/say.mjs';
import { exitWithNpm } from './lib/signals.mjs';
import { parseStartArguments } from './lib/start-arguments.mjs';
import { Stop } from './lib/stop.mjs';

const HELP = `npm start [-- options]

  --desktop      open the window, or say why it cannot be
  --browser      open in the browser, served on this machine only
  --port N       the port for --browser (normally any free one)
  --no-sandbox   let Electron run without its sandbox, as it must when started by root
  --yes          as root, install what the system lacks without asking
  --help         show this

Without options the window opens where it can, and otherwise the browser.
`;

await main(async () => {
  const options = parseStartArguments(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  exitWithNpm();
  askBeforeInstalling(options);
  await checkDesktopEarly(options);
  await prepare();
  const host = await chooseHost(options);
  let because = host.kind === 'browser' ? host.because : null;
  if (host.kind === 'desktop') {
    const window = await openWindow(host.executable, [rootDir, ...host.flags]);
    if (window.opened) {
      process.exitCode = window.code;
      return;
    }
    if (options.host === 'desktop') {
      throw new Stop(`Parley's window cannot be opened: ${withFullStop(window.reason)}`);
    }
    because = window.reason;
  }
  if (process.getuid?.() === 0) {
    say(
      'Parley runs as root, and whatever its page can reach: start it as an ordinary user if you can.',
    );
  }
  if (because !== null) say(`Opening in the browser instead of a window: ${withFullStop(because)}`);
  const port = options.port === null ? [] : ['--port', String(options.port)];
  return open(process.execPath, [inRoot('out', 'main', 'browser.js'), ...port], { bound: true });
});
