import { constants } from 'node:os';

/** @type {readonly NodeJS.Signals[]} */
const terminationSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Calls a handler for signals that end a process, instead of exiting.
 * @param {(signal: NodeJS.Signals) => void} handler
 * @returns {() => void} removes the handler
 */
export const onTermination = (handler) => {
  for (const signal of terminationSignals) process.on(signal, handler);
  return () => {
    for (const signal of terminationSignals) process.off(signal, handler);
  };
};

const parentCheckMs = 1000;

/**
 * Makes `npm start` exit when its npm process is gone, because then the user cannot stop it from the terminal. A script
 * that was started without npm keeps running.
 */
export const exitWithNpm = () => {
  if (process.env['npm_lifecycle_event'] !== 'start') return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (isParent(npm)) return;
    clearInterval(timer);
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(exitCodeOf(null, 'SIGTERM'));
  }, parentCheckMs);
  timer.unref();
};

/** @param {number} pid of a process that was the parent of this one */
const isParent = (pid) => {
  if (process.platform !== 'win32') return process.ppid === pid;
  // On Windows, `ppid` stays the same after the parent has exited.
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * Spawn options for a host that exits with this process. The variable tells the host to exit when the channel closes
 * (electron/hosts/process-shutdown.ts), and the system closes the channel even if this process is killed.
 */
export const exitsWithParent = {
  env: { PARLEY_ENDS_WITH_STARTER: '1' },
  channel: /** @type {const} */ ('ipc'),
};

/**
 * Forwards a signal to a child. If the terminal sent the child the same signal, a second one would cut its shutdown short,
 * so the channel is closed instead. On Windows the channel is always used, because a signal there kills the child.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export const forwardSignal = (child, signal) => {
  const sentToBoth = signal === 'SIGINT' && process.stdin.isTTY;
  if (child.connected && (sentToBoth || process.platform === 'win32')) child.disconnect();
  else if (!sentToBoth) child.kill(signal);
};

/**
 * The exit code as a shell reports it: the child's, or 128 plus the signal's number.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 * @returns {number}
 */
export const exitCodeOf = (code, signal) =>
  signal === null ? (code ?? 1) : 128 + constants.signals[signal];
