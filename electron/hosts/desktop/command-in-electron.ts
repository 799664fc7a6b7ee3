import { app } from 'electron';
import type { HostProcesses } from '../../../shared/ports/child-process.ts';
import { utilityProcesses } from './utility-child.ts';

/** Exit code by shell convention: 128 plus the signal's number. */
const interrupted = 130;

/**
 * Prepares a command in a package, where Electron runs instead of Node: no window, no page, and no
 * single-instance lock.
 */
export async function prepareCommandProcess(): Promise<HostProcesses> {
  await app.whenReady();
  // Electron's default would exit with code 0.
  process.on('SIGINT', () => {
    if (process.listenerCount('SIGINT') === 1) app.exit(interrupted);
  });
  return utilityProcesses;
}
