import { spawn } from 'node:child_process';
import { rootDir } from './root.mjs';
import { exitCodeOf, onEnding } from './signals.mjs';
import { Stop } from './stop.mjs';

/**
 * Hands the terminal to a program until it ends, and takes over its exit code.
 * @param {string} executable
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<void>}
 */
export const open = (executable, args, env = process.env) =>
  new Promise((resolve, reject) => {
    // An Electron that was told to be Node (some editors' terminals do) would open no window.
    const { ELECTRON_RUN_AS_NODE: _, ...rest } = env;
    const child = spawn(executable, args, { cwd: rootDir, env: rest, stdio: 'inherit' });
    const release = onEnding((signal) => {
      // A terminal sends Ctrl+C to the child as well; a second one would look like impatience.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
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
