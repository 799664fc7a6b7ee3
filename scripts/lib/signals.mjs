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

/**
 * The exit code that a shell gives: the own one, or 128 and the signal's number.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 * @returns {number}
 */
export const exitCodeOf = (code, signal) =>
  signal === null ? (code ?? 1) : 128 + constants.signals[signal];
