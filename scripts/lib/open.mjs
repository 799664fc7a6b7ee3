import { spawn } from 'node:child_process';
import { noGraphicsCardOptions } from './electron-flags.mjs';
import { rootDir } from './root.mjs';
import { exitsWithParent, exitCodeOf, forwardSignal, onTermination } from './signals.mjs';
import { Stop } from './stop.mjs';

/** The desktop host prints this when its window shows, or when it brings a running Parley to the front. */
const openLine = /^Parley is (open|already running)/m;

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} without ELECTRON_RUN_AS_NODE, which some editors' terminals set: Electron opens no window with it
 */
const withoutRunAsNode = (env) => {
  const { ELECTRON_RUN_AS_NODE: _, ...others } = env;
  return others;
};

/**
 * Runs a Node program in the foreground of this terminal and exits with its exit code.
 * @param {string} executable
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, bound?: boolean }} [options] `bound`: the program is a host and exits with this process
 * @returns {Promise<void>}
 */
export const open = (executable, args, { env = process.env, bound = false } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(executable, args, {
      cwd: rootDir,
      env: { ...withoutRunAsNode(env), ...(bound ? exitsWithParent.env : {}) },
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

/**
 * Starts Electron and waits until it exits. `opened` is false if it fails before its window shows, for example because
 * the display refuses it, so that the caller can fall back. A clean exit, or a
 * signal that ends this process, counts as opened.
 * @param {string} executable
 * @param {readonly string[]} args
 * @returns {Promise<{ opened: true, code: number } | { opened: false, reason: string }>}
 */
export const openWindow = (executable, args) =>
  new Promise((resolve) => {
    const child = spawn(executable, args, {
      cwd: rootDir,
      env: {
        ...noGraphicsCardOptions().env,
        ...withoutRunAsNode(process.env),
        ...exitsWithParent.env,
      },
      stdio: ['inherit', 'pipe', 'inherit', exitsWithParent.channel],
    });
    let isOpen = false;
    let isInterrupted = false;
    child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      isOpen ||= openLine.test(text);
      process.stdout.write(text);
    });
    const release = onTermination((signal) => {
      isInterrupted = true;
      forwardSignal(child, signal);
    });
    /** @param {string} cause */
    const end = (cause, code = 1) => {
      release();
      if (isOpen || isInterrupted || code === 0) resolve({ opened: true, code });
      else resolve({ opened: false, reason: `Electron ended before its window showed (${cause})` });
    };
    child.on('error', (error) => end(error.message));
    child.on('close', (code, signal) => end(signal ?? `exit ${code}`, exitCodeOf(code, signal)));
  });
