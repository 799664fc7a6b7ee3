import { spawn } from 'node:child_process';
import { withoutGraphicsCard } from './graphics-card.mjs';
import { rootDir } from './root.mjs';
import { boundHost, exitCodeOf, handOn, onEnding } from './signals.mjs';

/** What the desktop host prints when its window shows, or the running one was brought forward. */
const OPEN = /^Parley is (open|already running)/m;

/**
 * Starts Electron and waits for its end. One that dies before its window shows (a display that
 * refuses it, a broken runtime) is told apart, so that the caller can say so and do something else.
 * @param {string} executable
 * @param {readonly string[]} args
 * @returns {Promise<{ opened: true, code: number } | { opened: false, reason: string }>}
 */
export const openWindow = (executable, args) =>
  new Promise((resolve) => {
    // An Electron that was told to be Node (some editors' terminals do) would open no window.
    const { ELECTRON_RUN_AS_NODE: _, ...given } = process.env;
    const env = { ...withoutGraphicsCard().env, ...given, ...boundHost.env };
    const child = spawn(executable, args, {
      cwd: rootDir,
      env,
      stdio: ['inherit', 'pipe', 'inherit', boundHost.channel],
    });
    let opened = false;
    let interrupted = false;
    child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      opened ||= OPEN.test(text);
      process.stdout.write(text);
    });
    const release = onEnding((signal) => {
      interrupted = true;
      handOn(child, signal);
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
