import { spawn } from 'node:child_process';
import { accessSync, constants as fileModes, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { rootDir } from './root.mjs';
import { exitCodeOf, onTermination } from './signals.mjs';
import { Stop } from './stop.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] default: the project's folder
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [inherit] shows the output instead of collecting it
 * @property {number} [timeoutMs] kills the child after this time
 * @property {boolean} [lowPriority] runs the child below normal priority
 */

/**
 * @typedef {object} RunResult
 * @property {number} code 127 if the child could not be started
 * @property {string} output the last 4 million characters of stdout and stderr, interleaved
 * @property {boolean} timedOut
 */

const maxOutputCharacters = 4_000_000;

/**
 * Runs a child process and collects its output. If this process is interrupted, it ends the child before it throws a
 * {@link Stop}.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export const run = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    // Node starts a .cmd file only through the shell. Our arguments for such files contain no spaces.
    const shell = process.platform === 'win32' && /\.(cmd|bat)$/i.test(command);
    const child = spawn(shell ? [`"${command}"`, ...args].join(' ') : command, shell ? [] : args, {
      cwd: options.cwd ?? rootDir,
      env: options.env ?? process.env,
      stdio: options.inherit ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      shell,
      windowsHide: true,
    });
    if (options.lowPriority === true) lowerPriority(child.pid);
    let output = '';
    let timedOut = false;
    /** @type {NodeJS.Signals | null} */
    let interrupted = null;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (/** @type {string} */ text) => {
        output = (output + text).slice(-maxOutputCharacters);
      });
    }
    const release = onTermination((signal) => {
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
      // Grandchildren that outlive a killed child would keep its pipes, and so this process, open.
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

/** @param {number | undefined} pid */
const lowerPriority = (pid) => {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The child has exited, or the system refuses. The child then keeps its normal priority.
  }
};

/**
 * @param {string} output of a child
 * @returns {string[]} lines without colours, blank lines and stack frames
 */
export const plainLines = (output) =>
  output
    // eslint-disable-next-line no-control-regex
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line));

/**
 * @param {string} file
 * @returns {boolean}
 */
export const isExecutable = (file) => {
  try {
    accessSync(file, fileModes.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

/**
 * Looks up the first of these commands that is in PATH.
 * @param {...string} names
 * @returns {string | undefined} the path
 */
export const which = (...names) => {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const name of names) {
    for (const folder of folders) {
      const found = endings.map((end) => join(folder, name + end)).find(isExecutable);
      if (found !== undefined) return found;
    }
  }
  return undefined;
};
