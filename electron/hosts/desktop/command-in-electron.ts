import { app } from 'electron';
import type { HostProcesses } from '../../../shared/ports/child-process.ts';
import { utilityProcesses } from './utility-child.ts';

/** The exit code after SIGINT by shell convention: 128 plus the signal's number. */
const interruptedCode = 130;

/**
 * Prepares a command in a package, where Electron runs instead of Node: no window, no page, and no
 * single-instance lock.
 */
export async function prepareCommandProcess(): Promise<HostProcesses> {
  await app.whenReady();
  // Without a listener, Electron would exit with code 0.
  process.on('SIGINT', () => {
    if (process.listenerCount('SIGINT') === 1) app.exit(interruptedCode);
  });
  return utilityProcesses;
}
