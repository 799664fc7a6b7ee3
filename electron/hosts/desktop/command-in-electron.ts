import { app } from 'electron';
import type { HostProcesses } from '../../../shared/ports/child-process.ts';
import { utilityProcesses } from './utility-child.ts';

/** As shells count: 128 and the signal's number. */
const interrupted = 130;

/**
 * For a command in a package, whose program is Electron and no Node: no window, no page, and none of what the window's
 * Parley keeps beside it.
 */
export async function readyForCommand(): Promise<HostProcesses> {
  await app.whenReady();
  // Electron's own way to take it would end the process as if all were well.
  process.on('SIGINT', () => {
    if (process.listenerCount('SIGINT') === 1) app.exit(interrupted);
  });
  return utilityProcesses;
}
