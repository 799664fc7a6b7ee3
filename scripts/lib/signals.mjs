import { constants } from 'node:os';

/** @type {readonly NodeJS.Signals[]} */
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Takes over the signals that end a process, as long as a child has to end first.
 * @param {(signal: NodeJS.Signals) => void} handler
 * @returns {() => void} gives the signals back
 */
export const onEnding = (handler) => {
  for (const signal of ENDINGS) process.on(signal, handler);
  return () => {
    for (const signal of ENDINGS) process.off(signal, handler);
  };
};

/** By then a program that lost its npm has been asked to end. */
const LOOK_EVERY_MS = 1000;

/**
 * `npm start` ends with its npm, however that ended: nobody is left who could stop it. What a person started without
 * npm is bound to nothing, and npm itself may outlive its terminal.
 */
export const endWithNpm = () => {
  if (process.env['npm_lifecycle_event'] !== 'start') return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (isParent(npm)) return;
    clearInterval(timer);
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(exitCodeOf(null, 'SIGTERM'));
  }, LOOK_EVERY_MS);
  timer.unref();
};

/** @param {number} pid of a process that was the parent of this one */
const isParent = (pid) => {
  if (process.platform !== 'win32') return process.ppid === pid;
  // There a child keeps the number of a parent that has ended.
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * How a host is started that ends with the one that started it. The host knows by the variable that the channel is for that
 * (electron/hosts/process-shutdown.ts); the system closes the channel of a process that was killed.
 */
export const boundHost = {
  env: { PARLEY_ENDS_WITH_STARTER: '1' },
  channel: /** @type {const} */ ('ipc'),
};

/**
 * Hands a signal on to a child that a terminal may have sent it to as well: a second one would look like impatience. The
 * channel asks once, however often, and also on Windows, where a signal would end the child in the middle of its work.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export const handOn = (child, signal) => {
  const sentToBoth = signal === 'SIGINT' && process.stdin.isTTY;
  if (child.connected && (sentToBoth || process.platform === 'win32')) child.disconnect();
  else if (!sentToBoth) child.kill(signal);
};

/**
 * The exit code that a shell gives: the own one, or 128 and the signal's number.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 * @returns {number}
 */
export const exitCodeOf = (code, signal) =>
  signal === null ? (code ?? 1) : 128 + constants.signals[signal];
