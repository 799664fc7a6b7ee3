import { chooseHost, checkDesktopEarly } from './lib/choose-host.mjs';
import { askBeforeInstalling } from './lib/apt.mjs';
import { main } from './lib/main.mjs';
import { open, openWindow } from './lib/open.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot, rootDir } from './lib/root.mjs';
import { withFullStop, say } from './lib/say.mjs';
import { exitWithNpm } from './lib/signals.mjs';
import { parseStartArguments } from './lib/start-arguments.mjs';
import { Stop } from './lib/stop.mjs';

const help = `npm start [-- options]

  --desktop      open the window, or print why it cannot open
  --browser      open in the browser, served on this machine only
  --port N       the port for --browser (default: any free port)
  --no-sandbox   run Electron without its sandbox, which root must do
  --yes          as root, install missing system packages without asking
  --help         show this

Without options Parley opens its window if it can, and otherwise the browser.
`;

await main(async () => {
  const options = parseStartArguments(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(help);
    return;
  }
  exitWithNpm();
  askBeforeInstalling(options);
  await checkDesktopEarly(options);
  await prepare();
  const host = await chooseHost(options);
  let fallbackReason = host.kind === 'browser' ? host.fallbackReason : null;
  if (host.kind === 'desktop') {
    const window = await openWindow(host.executable, [rootDir, ...host.flags]);
    if (window.opened) {
      process.exitCode = window.code;
      return;
    }
    if (options.host === 'desktop') {
      throw new Stop(`Parley's window cannot be opened: ${withFullStop(window.reason)}`);
    }
    fallbackReason = window.reason;
  }
  if (process.getuid?.() === 0) {
    say(
      'Parley runs as root, so a fault in it could change the whole system. Start it as an ordinary user if you can.',
    );
  }
  if (fallbackReason !== null)
    say(`Opening in the browser instead of a window: ${withFullStop(fallbackReason)}`);
  const port = options.port === null ? [] : ['--port', String(options.port)];
  return open(process.execPath, [inRoot('out', 'main', 'browser.js'), ...port], { bound: true });
});
