import { parseArgs } from 'node:util';
import { Stop, wrongUsage } from './stop.mjs';

/**
 * Parses the options of a script, or stops it with its usage.
 * @template {import('node:util').ParseArgsConfig} Config
 * @param {string} usage
 * @param {Config} config
 */
export const parseOptions = (usage, config) => {
  try {
    return parseArgs(config);
  } catch {
    throw new Stop(usage, wrongUsage);
  }
};

/**
 * @param {string} usage
 * @param {string | number} value
 * @returns {number}
 */
export const parsePositive = (usage, value) => {
  const number = Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Stop(usage, wrongUsage);
};

/**
 * @param {string} usage
 * @param {string | undefined} seed default: random
 * @returns {number}
 */
export const parseSeed = (usage, seed) =>
  Math.floor(parsePositive(usage, seed ?? 1 + Math.random() * 1_000_000));
