import { spawn } from 'node:child_process';
import { rootDir } from './root.mjs';
import { boundHost, exitCodeOf, handOn, onEnding } from './signals.mjs';
import { Stop } from './stop.mjs';

/**
 * Hands the terminal to a program until it ends, and takes over its exit code.
 * @param {string} executable
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, bound?: boolean }} [options] `bound`: it is a host, and ends with this process
 * @returns {Promise<void>}
 */
export const open = (executable, args, { env = process.env, bound = false } = {}) =>
  new Promise((resolve, reject) => {
    // An Electron that was told to be Node (some editors' terminals do) would open no window.
    const { ELECTRON_RUN_AS_NODE: _, ...rest } = env;
    const child = spawn(executable, args, {
      cwd: rootDir,
      env: bound ? { ...rest, ...boundHost.env } : rest,
      stdio: ['inherit', 'inherit', 'inherit', ...(bound ? [boundHost.channel] : [])],
    });
    const release = onEnding((signal) => handOn(child, signal));
    child.on('error', (error) => {
      release();
      reject(new Stop(`Parley could not be opened (${error.message}): reinstall Electron.`));
    });
    child.on('exit', (code, signal) => {
      release();
      process.exitCode = exitCodeOf(code, signal);
      resolve();
    });
  });
