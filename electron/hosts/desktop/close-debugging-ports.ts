import { app } from 'electron';
import { url as inspectorAddress } from 'node:inspector';

/** What opens the pages to anybody on this machine; the main side's own door is a fuse. */
const switches = ['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address'];

/**
 * A packaged Parley is debugged by nobody. The copy that the tests attach to has that one fuse the other
 * way round, and only with it the inspector is there. Electron looks at the switches once main has run.
 */
export function closeDebuggingPorts(): void {
  if (!app.isPackaged || inspectorAddress() !== undefined) return;
  for (const name of switches) app.commandLine.removeSwitch(name);
}
