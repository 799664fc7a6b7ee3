import { spawn } from 'node:child_process';
import { noGraphicsCardOptions } from './graphics-card.mjs';
import { rootDir } from './root.mjs';
import { exitsWithParent, exitCodeOf, forwardSignal, onTermination } from './signals.mjs';

/** The desktop host prints this when its window shows, or when it brings a running Parley to the front. */
const OPEN = /^Parley is (open|already running)/m;

/**
 * Starts Electron and waits until it exits. `opened` is false if it fails before its window shows, for example because
 * the display refuses it, so that the caller can fall back. A clean exit or a signal counts as opened.
 * @param {string} executable
 * @param {readonly string[]} args
 * @returns {Promise<{ opened: true, code: number } | { opened: false, reason: string }>}
 */
export const openWindow = (executable, args) =>
  new Promise((resolve) => {
    // Some editors' terminals set ELECTRON_RUN_AS_NODE, with which Electron opens no window.
    const { ELECTRON_RUN_AS_NODE: _, ...parentEnv } = process.env;
    const env = { ...noGraphicsCardOptions().env, ...parentEnv, ...exitsWithParent.env };
    const child = spawn(executable, args, {
      cwd: rootDir,
      env,
      stdio: ['inherit', 'pipe', 'inherit', exitsWithParent.channel],
    });
    let opened = false;
    let interrupted = false;
    child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      opened ||= OPEN.test(text);
      process.stdout.write(text);
    });
    const release = onTermination((signal) => {
      interrupted = true;
      forwardSignal(child, signal);
    });
    /** @param {string} how */
    const end = (how, code = 1) => {
      release();
      if (opened || interrupted || code === 0) resolve({ opened: true, code });
      else resolve({ opened: false, reason: `Electron ended before its window showed (${how})` });
    };
    child.on('error', (error) => end(error.message));
    child.on('close', (code, signal) => end(signal ?? `exit ${code}`, exitCodeOf(code, signal)));
  });
