import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { rootDir } from './root.mjs';
import { exitCodeOf, onEnding } from './signals.mjs';
import { Stop } from './stop.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] the project's folder unless given
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [inherit] show the output instead of keeping it
 * @property {number} [timeoutMs] ends the child after so long
 * @property {boolean} [aside] it works with what others leave of the processors
 */

/**
 * @typedef {object} RunResult
 * @property {number} code 127 when it could not be started
 * @property {string} output the end of stdout and stderr, as they came
 * @property {boolean} timedOut
 */

const KEPT_CHARACTERS = 4_000_000;

/**
 * Runs a child to its end and keeps what it said. Being interrupted ends the child first and then
 * throws a {@link Stop}, so that nothing goes on working unseen.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export const run = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    // Node starts a .cmd file only through the shell; our own arguments there hold no spaces.
    const shell = process.platform === 'win32' && /\.(cmd|bat)$/i.test(command);
    const child = spawn(shell ? [`"${command}"`, ...args].join(' ') : command, shell ? [] : args, {
      cwd: options.cwd ?? rootDir,
      env: options.env ?? process.env,
      stdio: options.inherit ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      shell,
      windowsHide: true,
    });
    if (options.aside === true) standAside(child.pid);
    let output = '';
    let timedOut = false;
    /** @type {NodeJS.Signals | null} */
    let interrupted = null;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (/** @type {string} */ text) => {
        output = (output + text).slice(-KEPT_CHARACTERS);
      });
    }
    const release = onEnding((signal) => {
      interrupted = signal;
      child.kill(signal);
    });
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            child.kill('SIGKILL');
          }, options.timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      release();
    };
    child.on('error', (error) => {
      settle();
      resolve({ code: 127, output: error.message, timedOut });
    });
    child.on('exit', () => {
      // Grandchildren that outlive a killed child must not hold its pipes, and with them us, open.
      if (timedOut || interrupted !== null) {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }
    });
    child.on('close', (code, signal) => {
      settle();
      if (interrupted !== null) reject(new Stop('Interrupted.', exitCodeOf(null, interrupted)));
      else resolve({ code: exitCodeOf(code, signal), output, timedOut });
    });
  });

/** @param {number | undefined} pid of a process that has just been started */
const standAside = (pid) => {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system does not let us: then it works as everything does.
  }
};

/**
 * @param {string} output what a child wrote
 * @returns {string[]} its lines without colours, blank lines and stack frames
 */
export const plainLines = (output) =>
  output
    // eslint-disable-next-line no-control-regex
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
