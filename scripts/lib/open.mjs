import { spawn } from 'node:child_process';
import { rootDir } from './root.mjs';
import { exitsWithParent, exitCodeOf, forwardSignal, onTermination } from './signals.mjs';
import { Stop } from './stop.mjs';

/**
 * Runs a Node program in the foreground of this terminal and exits with its exit code.
 * @param {string} executable
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, bound?: boolean }} [options] `bound`: the program is a host and exits with this process
 * @returns {Promise<void>}
 */
export const open = (executable, args, { env = process.env, bound = false } = {}) =>
  new Promise((resolve, reject) => {
    // Some editors' terminals set ELECTRON_RUN_AS_NODE, with which Electron opens no window.
    const { ELECTRON_RUN_AS_NODE: _, ...rest } = env;
    const child = spawn(executable, args, {
      cwd: rootDir,
      env: bound ? { ...rest, ...exitsWithParent.env } : rest,
      stdio: ['inherit', 'inherit', 'inherit', ...(bound ? [exitsWithParent.channel] : [])],
    });
    const release = onTermination((signal) => forwardSignal(child, signal));
    child.on('error', (error) => {
      release();
      reject(new Stop(`Parley could not be started (${error.message}).`));
    });
    child.on('exit', (code, signal) => {
      release();
      process.exitCode = exitCodeOf(code, signal);
      resolve();
    });
  });
